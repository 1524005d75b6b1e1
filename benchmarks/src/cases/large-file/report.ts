import type { LargeFileOptions } from './options.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One thing that is done with the file
 */
export interface LargeFileRow {
  readonly case: 'large-file'
  readonly phase: string
  /**
   * What one sample does
   */
  readonly what: string
  readonly samples: number
  readonly rawMs: readonly number[]
  readonly p50: number | null
  /**
   * Whether the bytes are on the disk when a sample ends
   */
  readonly durable: boolean
}

/**
 * What `--json` writes
 */
export interface LargeFileReport extends CaseReport {
  readonly schema: 1
  readonly case: 'large-file'
  readonly options: LargeFileOptions
  readonly version: string
  readonly bytes: number
  readonly rows: readonly LargeFileRow[]
  readonly targets: readonly Target[]
}
