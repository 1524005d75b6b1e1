import { mean, quantile } from 'simple-statistics'

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

export function statisticsOf (rawMs: readonly number[]): Statistics {
  const samples = [...rawMs]
  const msPerOp = mean(samples)
  const [p50, p95, p99] = quantile(samples, [0.5, 0.95, 0.99])

  return { opsPerSec: 1000 / msPerOp, msPerOp, p50, p95, p99 }
}
