import { sayFailed } from '../../harness/failed-rows.ts'
import { figure, markdownTable, megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import type { ReimportReport, ReimportRow } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out in Markdown.
 */
export function printReimport ({ rows, targets, files, bytes }: Pick<ReimportReport, 'rows' | 'targets' | 'files' | 'bytes'>): string {
  return [
    `${figure(files)} files, ${megabytes(bytes)} MB`,
    markdownTable(rowColumns(rows), rows),
    ...rows.some(({ status }) => status === 'failed') ? [sayFailed(rows, ({ phase }) => [phase]).join('\n')] : [],
    rows.map(({ phase, what }) => `- \`${phase}\`: ${what}`).join('\n'),
    ...targets.length > 0 ? [markdownTable(TARGET_COLUMNS, targets)] : []
  ].join('\n\n')
}

/**
 * Every row beside what does the same without dagfs
 */
export function rowColumns (rows: readonly ReimportRow[]): ReadonlyArray<Column<ReimportRow>> {
  const beside = (row: ReimportRow): string => {
    const peer = rows.find(({ phase }) => phase === PEERS[row.phase])

    return peer?.p50 == null || row.p50 == null ? '' : `${figure(row.p50 / peer.p50, 2)}x the time of ${peer.phase}`
  }

  return [
    { title: 'phase', align: 'left', cell: ({ phase }) => phase },
    { title: 'ms', cell: ({ p50 }) => p50 == null ? '' : figure(p50) },
    { title: 'runs', cell: ({ samples }) => String(samples) },
    { title: 'files read or written', cell: ({ touched }) => touched == null ? '' : figure(touched) },
    { title: 'compared', align: 'left', cell: beside }
  ]
}

const PEERS: Readonly<Record<string, string>> = { cold: 'walk', again: 'walk', changed: 'walk', export: 'cp', 'export-again': 'cp', 'export-by-time': 'cp', repeated: 'unique' }
