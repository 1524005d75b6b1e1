import { figure, markdownTable, megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import type { LargeFileReport, LargeFileRow } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out in Markdown.
 */
export function printLargeFile ({ rows, targets, bytes }: Pick<LargeFileReport, 'rows' | 'targets' | 'bytes'>): string {
  return [
    `one file of ${megabytes(bytes)} MB`,
    markdownTable(rowColumns(bytes), rows),
    rows.map(({ phase, what }) => `- \`${phase}\`: ${what}`).join('\n'),
    ...targets.length > 0 ? [markdownTable(TARGET_COLUMNS, targets)] : []
  ].join('\n\n')
}

/**
 * Every row with its throughput
 */
export function rowColumns (bytes: number): ReadonlyArray<Column<LargeFileRow>> {
  return [
    { title: 'phase', align: 'left', cell: ({ phase }) => phase },
    { title: 'ms', cell: ({ p50 }) => p50 == null ? '' : figure(p50) },
    { title: 'MB/s', cell: ({ p50 }) => p50 == null ? '' : figure(throughput(bytes, p50)) },
    { title: 'runs', cell: ({ samples }) => String(samples) },
    { title: 'MB resident', cell: ({ maxRssBytes }) => maxRssBytes == null ? '' : megabytes(maxRssBytes) },
    { title: 'synced', cell: ({ durable }) => durable === true ? 'yes' : '' },
    { title: 'why not', align: 'left', cell: ({ reason }) => reason ?? '' }
  ]
}

/**
 * In 10^6 bytes a second
 */
export function throughput (bytes: number, ms: number): number {
  return bytes / 1e6 / (ms / 1000)
}
