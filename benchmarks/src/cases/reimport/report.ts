import type { ReimportOptions } from './options.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One way through the directory
 */
export interface ReimportRow {
  readonly case: 'reimport'
  readonly phase: string
  /**
   * What one sample does
   */
  readonly what: string
  readonly samples: number
  readonly rawMs: readonly number[]
  readonly p50: number | null
  /**
   * Files that were read or written by dagfs in every sample
   */
  readonly touched: number | null
  readonly durable: boolean
  readonly status: 'ok' | 'failed'
  readonly reason: string | null
}

/**
 * What `--json` writes
 */
export interface ReimportReport extends CaseReport {
  readonly schema: 2
  readonly case: 'reimport'
  readonly options: ReimportOptions
  readonly version: string
  readonly files: number
  readonly bytes: number
  readonly rows: readonly ReimportRow[]
  readonly targets: readonly Target[]
}
