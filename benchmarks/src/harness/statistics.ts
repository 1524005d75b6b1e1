import { mean, quantile } from 'simple-statistics'
import { figure } from './markdown.ts'

export interface Statistics {
  readonly opsPerSec: number
  readonly msPerOp: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/**
 * A p99 of fewer samples than this is printed with a mark
 */
export const P99_SAMPLES = 100

/**
 * What the mark means, for below a table that has some
 */
export const P99_NOTE = `A p99 with an asterisk is of fewer than ${P99_SAMPLES} samples, and says little more than the slowest of them.`

/**
 * Says a p99 with its mark.
 */
export function sayP99 (p99: number, samples: number): string {
  return `${figure(p99, 2)}${samples < P99_SAMPLES ? '*' : ''}`
}

export function statisticsOf (rawMs: readonly number[]): Statistics {
  const samples = [...rawMs]
  const msPerOp = mean(samples)
  const [p50, p95, p99] = quantile(samples, [0.5, 0.95, 0.99])

  return { opsPerSec: 1000 / msPerOp, msPerOp, p50, p95, p99 }
}
