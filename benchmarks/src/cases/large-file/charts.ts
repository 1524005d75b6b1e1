import { megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { rowColumns, throughput } from './print.ts'
import type { LargeFileReport } from './report.ts'
import type { Section } from '../../report/chart.ts'

/**
 * Shows how fast one large file is written and read, beside the least that any
 * program has to do.
 */
export function sections ({ rows, targets, options, bytes }: LargeFileReport): Section[] {
  const shown = rows.filter(({ samples }) => samples > 0)
  const title = 'Writing and reading one large file'

  return [{
    title,
    shows: 'One file is imported into a pack store and read back with every block compared with its CID, beside a program that only reads, hashes and writes it, and beside hashing its bytes in memory.',
    conditions: [
      ['file', `${megabytes(bytes)} MB, generated from a seed`],
      ['versions', rows.find(({ version }) => version != null)?.version ?? 'unknown'],
      ['options', `at least ${options.iterations} samples of a row, each row in a process of its own; those that write take turns, and then those that read`],
      ['durability', 'Writes return once they are synced to the disk.'],
      ...rows.map(({ phase, what }) => [phase, what] as const)
    ],
    charts: shown.length === 0
      ? []
      : [{
          title,
          caption: `A bar is how many megabytes of the file are done with in a second; longer is faster. It is the median; ${saySpread(shown.map(({ samples }) => samples))}.`,
          basis: `${saySamples(shown.map(({ samples }) => samples))}.`,
          spec: bars(shown.map(({ phase, rawMs }) => {
            const { median, low, high } = spreadOf(rawMs.map(ms => throughput(bytes, ms)))

            return { name: phase, series: 'throughput', value: median, low, high }
          }), { title: 'of the file in a second, longer is better', unit: 'MB/s' }),
          table: reportTable(title, rowColumns(bytes), shown)
        }],
    tables: [
      reportTable('All figures', rowColumns(bytes), rows),
      reportTable('Targets, by medians', TARGET_COLUMNS, targets)
    ],
    notes: ['What was stored was compared with the file, byte for byte.'],
    unavailable: rows.filter(({ samples }) => samples === 0).map(({ phase, reason }) => ({ what: phase, reason: reason ?? 'the run was interrupted' }))
  }]
}
