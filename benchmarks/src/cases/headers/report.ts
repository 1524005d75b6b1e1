import type { HeadersOptions, StoreKey } from './options.ts'
import type { Counted } from './protocol.ts'
import type { Published } from './published.ts'
import type { Figures } from '../../harness/figures.ts'
import type { RatioInterval } from '../../harness/ratio-interval.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One contender, operation, size and store; what was not measured is null
 */
export interface HeadersRow extends Figures {
  readonly case: 'headers'
  readonly contender: string
  /**
   * The codec of its directories, and where it has metadata
   */
  readonly layout: string
  readonly version: string | null
  /**
   * The operation's key
   */
  readonly operation: string
  readonly fileBytes: number
  readonly store: StoreKey
  /**
   * Runs of the operation in one sample
   */
  readonly operations: number
  readonly durable: false | null
  /**
   * Each of all runs of a sample together, and so are the figures below
   */
  readonly rawMs: readonly number[]
  /**
   * What one run asked its store for
   */
  readonly counted: Counted | null
  readonly status: 'ok' | 'failed' | 'unavailable'
  readonly reason: string | null
}

/**
 * What one layout costs in terms of another one, for one operation
 */
export interface Comparison {
  readonly question: string
  readonly contender: string
  readonly base: string
  readonly operation: string
  readonly fileBytes: number
  readonly store: StoreKey
  readonly time: RatioInterval
  /**
   * More blocks and bytes than the base, both read and put; less than zero where
   * it takes fewer
   */
  readonly blocks: number
  readonly bytes: number
}

/**
 * What `--json` writes
 */
export interface HeadersReport extends CaseReport {
  readonly schema: 1
  readonly case: 'headers'
  readonly options: HeadersOptions & { readonly told: Readonly<Record<string, unknown>> }
  readonly rows: readonly HeadersRow[]
  readonly comparisons: readonly Comparison[]
  readonly published: readonly Published[]
}
