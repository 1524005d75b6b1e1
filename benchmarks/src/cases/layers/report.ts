import type { Stored } from './make-store.ts'
import type { LayersOptions } from './options.ts'
import type { Target } from '../../harness/target.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * One layer and one size of reads; what was not measured is null
 */
export interface LayerRow {
  readonly case: 'layers'
  readonly layer: string
  readonly by: 'dagfs' | 'peer'
  /**
   * What one sample does
   */
  readonly what: string
  readonly version: string | null
  readonly readBytes: number
  /**
   * Records, or whatever else the layer goes by
   */
  readonly pieces: number | null
  readonly bytes: number | null
  readonly samples: number
  /**
   * Each of one scan of everything
   */
  readonly rawMs: readonly number[]
  /**
   * How many samples each round took; one where nothing is said
   */
  readonly rounds?: readonly number[]
  readonly p50: number | null
  readonly status: 'ok' | 'failed' | 'unavailable'
  readonly reason: string | null
}

/**
 * What `--json` writes
 */
export interface LayersReport extends CaseReport {
  readonly schema: 1
  readonly case: 'layers'
  readonly options: LayersOptions
  /**
   * Null where the run was interrupted before
   */
  readonly stored: Stored | null
  readonly rows: readonly LayerRow[]
  readonly targets: readonly Target[]
}
