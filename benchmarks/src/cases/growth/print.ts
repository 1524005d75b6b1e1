import { figure, markdownTable } from '../../harness/markdown.ts'
import { spreadOf } from '../../report/spread.ts'
import type { ContenderFit, GrowthReport, GrowthRow } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out in Markdown: the times, and how they grow.
 */
export function printGrowth ({ rows, fits }: Pick<GrowthReport, 'rows' | 'fits'>): string {
  return [
    markdownTable(ROW_COLUMNS, rows),
    ...rows.filter(({ status }) => status !== 'ok').map(({ contender, corpus, status, reason }) => `${contender} - ${corpus}: ${status}: ${reason}`),
    markdownTable(FIT_COLUMNS, fits)
  ].join('\n\n')
}

export const ROW_COLUMNS: ReadonlyArray<Column<GrowthRow>> = [
  { title: 'Implementation', align: 'left', cell: ({ contender }) => contender },
  { title: 'files', cell: ({ files }) => figure(files) },
  { title: 'ms', cell: ({ rawMs, status }) => rawMs.length === 0 ? status : figure(spreadOf(rawMs).median, 1) },
  { title: 'from', cell: ({ rawMs }) => rawMs.length === 0 ? '' : figure(spreadOf(rawMs).low, 1) },
  { title: 'to', cell: ({ rawMs }) => rawMs.length === 0 ? '' : figure(spreadOf(rawMs).high, 1) },
  { title: 'µs for a file', cell: ({ rawMs, files }) => rawMs.length === 0 ? '' : figure(spreadOf(rawMs).median / files * 1000, 1) },
  { title: 'memory, MB', cell: ({ maxRssBytes }) => maxRssBytes == null ? '' : figure(maxRssBytes / 1e6) },
  { title: 'runs', cell: ({ samples }) => figure(samples) }
]

export const FIT_COLUMNS: ReadonlyArray<Column<ContenderFit>> = [
  { title: 'Implementation', align: 'left', cell: ({ contender }) => contender },
  { title: 'exponent', cell: ({ exponent }) => exponent.toFixed(2) },
  { title: '95 % interval', cell: sayInterval },
  { title: 'ten times the files take', cell: ({ exponent }) => `${figure(10 ** exponent, 1)} times as long` },
  { title: 'sizes', cell: ({ sizes }) => figure(sizes) }
]

export function sayInterval ({ low, high }: ContenderFit): string {
  return low == null || high == null ? '' : `${low.toFixed(2)} to ${high.toFixed(2)}`
}
