import type { StoreOptions } from './options.ts'
import type { ContenderKey, PhaseKey } from './protocol.ts'
import type { Figures } from '../../harness/figures.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One store and what was done with it; what was not measured is null
 */
export interface StoreRow extends Figures {
  readonly case: 'store'
  readonly contender: ContenderKey
  readonly version: string | null
  /**
   * What is in the store, in words, and how many blocks that are
   */
  readonly corpus: string
  readonly blocks: number
  readonly phase: PhaseKey
  /**
   * What one sample does so many of
   */
  readonly operations: number
  /**
   * The most that the process held that opened the store and did this
   */
  readonly maxRssBytes: number | null
  /**
   * What every sample was about
   */
  readonly cid: string | null
  readonly status: 'ok' | 'failed'
  readonly reason: string | null
}

/**
 * What `--json` writes
 */
export interface StoreReport extends CaseReport {
  readonly case: 'store'
  readonly schema: 1
  readonly options: StoreOptions & { readonly told: Readonly<Record<string, unknown>> }
  readonly rows: readonly StoreRow[]
  readonly targets: readonly Target[]
}
