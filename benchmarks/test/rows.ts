import { statisticsOf } from '../src/harness/statistics.ts'
import type { Row } from '../src/cases/add-dir/row.ts'

/**
 * A row as if it had been measured
 */
export function measuredRow (values: Partial<Row> & Pick<Row, 'contender' | 'cid'>): Row {
  const rawMs = values.rawMs ?? [1, 2, 3]

  return {
    case: 'add-dir',
    version: `${values.contender} 1.0.0`,
    corpus: 'src',
    files: 1,
    bytes: 1,
    phase: 'cold',
    durable: false,
    samples: rawMs.length,
    rawMs,
    ...statisticsOf(rawMs),
    firstRssBytes: 1,
    maxRssBytes: 1,
    cidGroup: 'unixfs-v1-2025',
    status: 'ok',
    reason: null,
    ...values
  }
}
