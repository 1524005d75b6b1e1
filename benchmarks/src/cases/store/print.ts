import { figure, markdownTable } from '../../harness/markdown.ts'
import { sayP99 } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import type { PhaseKey } from './protocol.ts'
import type { StoreReport, StoreRow } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out in Markdown: a table of what was measured, and one of what
 * it had to be.
 */
export function printStore ({ rows, targets }: Pick<StoreReport, 'rows' | 'targets'>): string {
  const failures = rows.filter(({ reason }) => reason != null).map(row => `${row.contender}, ${row.phase}: ${row.reason}`)

  return [markdownTable(ROW_COLUMNS, rows), ...failures, markdownTable(TARGET_COLUMNS, targets)].join('\n\n')
}

/**
 * What is done with a store, in words
 */
export const PHASE_NAMES: Readonly<Record<PhaseKey, string>> = {
  fill: 'put all blocks',
  get: 'get blocks at random',
  open: 'open it',
  scan: 'find all blocks in it, 64 KiB at a time'
}

export const ROW_COLUMNS: ReadonlyArray<Column<StoreRow>> = [
  { title: 'Implementation', align: 'left', cell: row => row.contender },
  { title: 'store', align: 'left', cell: row => row.corpus },
  { title: 'what', align: 'left', cell: row => PHASE_NAMES[row.phase] },
  { title: 'ms', cell: row => row.p50 == null ? row.status : figure(row.p50, 2) },
  { title: 'p99', cell: row => row.p99 == null ? '' : sayP99(row.p99, row.samples) },
  { title: 'µs each', cell: row => row.p50 == null || row.operations === 1 ? '' : figure(row.p50 / row.operations * 1000, 2) },
  { title: 'runs', cell: row => String(row.samples) },
  { title: 'memory, MB', cell: row => row.maxRssBytes == null ? '' : figure(row.maxRssBytes / 1e6) }
]
