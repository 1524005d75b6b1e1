import { max, mean, quantile } from 'simple-statistics'

export interface Spread {
  readonly mean: number
  readonly p99: number
  readonly max: number
}

export interface Inserts {
  readonly blocks: Spread
  readonly bytes: Spread
}

export function spreadInserts (written: ReadonlyArray<{ blocks: number, bytes: number }>): Inserts {
  return { blocks: spread(written.map(({ blocks }) => blocks)), bytes: spread(written.map(({ bytes }) => bytes)) }
}

export function spread (values: readonly number[]): Spread {
  return { mean: mean([...values]), p99: quantile([...values], 0.99), max: max([...values]) }
}
