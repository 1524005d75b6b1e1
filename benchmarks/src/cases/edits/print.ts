import { figure, markdownTable } from '../../harness/markdown.ts'
import { sayP99 } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import type { EditRow, EditsReport } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out in Markdown: a table of what was measured, and one of what
 * it had to be.
 */
export function printEdits ({ rows, targets }: Pick<EditsReport, 'rows' | 'targets'>): string {
  const legend = [...new Map(rows.map(({ phase, corpus }) => [phase, corpus]))]
  const failures = rows.filter(({ reason }) => reason != null).map(row => `${row.contender}, ${row.phase}: ${row.reason}`)

  return [
    markdownTable(ROW_COLUMNS, rows),
    legend.map(([phase, corpus]) => `- \`${phase}\`: ${corpus}`).join('\n'),
    ...failures,
    markdownTable(TARGET_COLUMNS, targets)
  ].join('\n\n')
}

export const ROW_COLUMNS: ReadonlyArray<Column<EditRow>> = [
  { title: 'Implementation', align: 'left', cell: row => row.contender },
  { title: 'workload', align: 'left', cell: row => row.phase },
  { title: 'ms', cell: row => row.p50 == null ? row.status : figure(row.p50, 2) },
  { title: 'p99', cell: row => row.p99 == null ? '' : sayP99(row.p99, row.samples) },
  { title: 'µs each', cell: row => row.p50 == null || row.operations === 1 ? '' : figure(row.p50 / row.operations * 1000, 1) },
  { title: 'runs', cell: row => String(row.samples) },
  { title: 'blocks read', cell: row => row.counted == null ? '' : figure(row.counted.blocksRead) },
  { title: 'blocks put', cell: row => row.counted == null ? '' : figure(row.counted.blocksPut) },
  { title: 'KiB put', cell: row => row.counted == null ? '' : figure(row.counted.bytesPut / 1024) },
  { title: 'memory, MB', cell: row => row.maxRssBytes == null ? '' : figure(row.maxRssBytes / 1e6) }
]
