import type { EditsOptions } from './options.ts'
import type { Counted } from './workloads/index.ts'
import type { Figures } from '../../harness/figures.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One contender and workload, in the shape of add-dir's rows; what was not
 * measured is null
 */
export interface EditRow extends Figures {
  readonly case: 'edits'
  readonly contender: string
  readonly version: string | null
  /**
   * What one sample does
   */
  readonly corpus: string
  /**
   * The workload's key
   */
  readonly phase: string
  /**
   * Writes or reads in one sample
   */
  readonly operations: number
  readonly durable: false | null
  /**
   * What the store was asked for in the last sample, where that was counted
   */
  readonly counted: Counted | null
  readonly cidGroup: string
  readonly status: 'ok' | 'failed'
  readonly reason: string | null
}

/**
 * What `--json` writes
 */
export interface EditsReport extends CaseReport {
  readonly schema: 1
  readonly case: 'edits'
  readonly options: EditsOptions & { readonly told: Readonly<Record<string, unknown>> }
  readonly rows: readonly EditRow[]
  readonly targets: readonly Target[]
}
