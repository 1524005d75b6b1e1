import { table } from 'table'
import { P99_SAMPLES } from '../../harness/statistics.ts'
import type { Row } from './row.ts'

const HEADER = ['Implementation', 'phase', 'ops/s', 'ms/op', 'runs', 'p99', 'CID']
const MARK = '*'

/**
 * Lays the rows out as a table, with what has to be known of them below it.
 */
export function printTable (rows: readonly Row[]): string {
  const notes = new Set(rows.filter(row => row.reason != null).map(row => `${nameOf(row)}: ${row.reason}`))
  const marked = rows.some(isFewSamples) ? [`${MARK} a p99 of fewer than ${P99_SAMPLES} runs`] : []

  return [
    table([HEADER, ...rows.map(cellsOf)], {
      columns: Object.fromEntries([2, 3, 4, 5].map(index => [index, { alignment: 'right' as const }])),
      drawHorizontalLine: (index, count) => index < 2 || index === count
    }).trimEnd(),
    ...marked,
    ...notes
  ].join('\n')
}

function cellsOf (row: Row): string[] {
  const { opsPerSec, msPerOp, p99 } = row

  if (opsPerSec == null || msPerOp == null || p99 == null) {
    return [nameOf(row), row.phase, '', '', String(row.samples), '', row.status]
  }

  return [
    nameOf(row),
    row.phase,
    opsPerSec.toFixed(2),
    msPerOp.toFixed(2),
    String(row.samples),
    `${p99.toFixed(2)}${isFewSamples(row) ? MARK : ''}`,
    row.cid ?? ''
  ]
}

function nameOf ({ contender, corpus }: Row): string {
  return `${contender} - ${corpus}`
}

function isFewSamples ({ status, samples }: Row): boolean {
  return status === 'ok' && samples < P99_SAMPLES
}
