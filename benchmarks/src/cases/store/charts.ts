import { failedRows } from '../../harness/failed-rows.ts'
import { figure } from '../../harness/markdown.ts'
import { P99_NOTE } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { ROW_COLUMNS } from './print.ts'
import type { StoreReport, StoreRow } from './report.ts'
import type { Section } from '../../report/chart.ts'

/**
 * Shows the stores side by side: gets at random, and opening beside scanning.
 */
export function sections (report: StoreReport): Section[] {
  const { rows, targets, options } = report
  const got = rows.filter(({ phase, p50 }) => phase === 'get' && p50 != null)

  return [{
    title: 'A store of a million small blocks',
    shows: 'Blocks of one size are put into a pack store, into a small one beside it, and into blockstore-fs, which keeps a file for each block. Then some of them are got at random, one after the other.',
    conditions: [
      ['options', `blocks of ${figure(options.blockBytes)} bytes; at least ${options.iterations} samples of a row`],
      ['durability', 'Filling the pack store ends with a sync; blockstore-fs never syncs.'],
      ['cache', "everything is in the system's cache"],
      ['versions', [...new Map(rows.map(({ contender, version }) => [contender, version ?? 'did not run'])).values()].join('; ')],
      ['dagfs-pack', 'the pack store of dagfs, which keeps many blocks in a file'],
      ['blockstore-fs', 'keeps a file for each block']
    ],
    charts: got.length === 0
      ? []
      : [{
          title: 'Time to get one block at random',
          caption: 'Time for one block, shorter is better; the scale is logarithmic. The pack store compares each block with its CID, blockstore-fs does not.',
          basis: `The median of at least ${options.iterations} samples of ${figure(options.gets)} blocks each; the line is from the fastest to the slowest one.`,
          spec: bars(got.map(row => ({ name: nameOf(row), series: row.contender, ...spreadOf(row) })), { title: 'time for a block, shorter is better', unit: 'µs', scale: 'log' }),
          table: reportTable('Gets at random', ROW_COLUMNS, got)
        }],
    tables: [reportTable('All that was done', ROW_COLUMNS, rows), reportTable('Held against the targets', TARGET_COLUMNS, targets)],
    notes: ['Memory is the most that the process held which did this, Node.js included.', P99_NOTE],
    unavailable: failedRows(rows, ({ contender, phase }) => [contender, phase])
  }]
}

function nameOf ({ contender, blocks }: StoreRow): string {
  return `${contender} of ${figure(blocks)}`
}

function spreadOf ({ rawMs, p50, operations }: StoreRow): { value: number, low: number, high: number } {
  const each = (ms: number): number => ms / operations * 1000

  return { value: each(p50 ?? 0), low: each(Math.min(...rawMs)), high: each(Math.max(...rawMs)) }
}
