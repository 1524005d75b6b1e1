import type { LargeFileOptions } from './options.ts'
import type { Figures } from '../../harness/figures.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One thing that is done with the file; `cid` is what every round gave
 */
export interface LargeFileRow extends Figures {
  readonly case: 'large-file'
  readonly phase: string
  /**
   * What one sample does
   */
  readonly what: string
  readonly version: string | null
  readonly status: 'ok' | 'failed'
  readonly reason: string | null
}

/**
 * What `--json` writes
 */
export interface LargeFileReport extends CaseReport {
  readonly schema: 2
  readonly case: 'large-file'
  readonly options: LargeFileOptions
  readonly bytes: number
  readonly rows: readonly LargeFileRow[]
  readonly targets: readonly Target[]
}
