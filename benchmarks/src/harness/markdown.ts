import { table } from 'table'

export interface Column<T> {
  readonly title: string
  readonly align?: 'left' | 'right'
  cell(row: T): string
}

/**
 * Lays rows out as a table in Markdown, figures to the right. What means something in Markdown by itself is escaped here, so that
 * cells are text for whoever else shows them.
 */
export function markdownTable <T> (columns: ReadonlyArray<Column<T>>, rows: readonly T[]): string {
  const cells = [columns.map(({ title }) => title), ...rows.map(row => columns.map(({ cell }) => cell(row)))]

  return table(cells.map(row => row.map(escapeCell)), {
    border: {
      bodyLeft: '|', bodyJoin: '|', bodyRight: '|', joinLeft: '|', joinJoin: '|', joinRight: '|', joinBody: '-'
    },
    columns: Object.fromEntries(columns.map(({ align = 'right' }, index) => [index, { alignment: align }])),
    drawHorizontalLine: index => index === 1
  }).trimEnd()
}

/**
 * Lays rows out as a table in Markdown without padding, for pages whose size counts. Cells are escaped as in `markdownTable`.
 */
export function compactTable <T> (columns: ReadonlyArray<Column<T>>, rows: readonly T[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = columns.map(({ align = 'right' }) => align === 'left' ? '---' : '--:')
  const cells = rows.map(row => columns.map(({ cell }) => escapeCell(cell(row))))

  return [columns.map(({ title }) => title), rule, ...cells].map(line).join('\n')
}

function escapeCell (text: string): string {
  return text.replaceAll(/[|*]/g, '\\$&')
}

/**
 * Writes a figure with as many decimals, and none that say nothing.
 */
export function figure (value: number, decimals = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals })
}

export function kib (bytes: number): string {
  return figure(bytes / 1024, bytes < 10 * 1024 ? 1 : 0)
}

export function megabytes (bytes: number): string {
  return figure(bytes / 1e6, bytes < 1e6 ? 3 : 1)
}

/**
 * Parts that are shown only to whoever opens them, as GitHub and npm do it.
 */
export function details (summary: string, parts: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...parts, '</details>'].join('\n\n')
}
