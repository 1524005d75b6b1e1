import type { Phase, Sample } from './measure.ts'
import type { Added, PeakMemory, Tools } from '../contenders/index.ts'

/**
 * What a contender's process is told to be, over its only argument
 */
export interface WorkerInit {
  readonly key: string
  readonly directory: string
  readonly tools: Tools
}

export interface Identity {
  readonly version: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface ExportedCar {
  readonly blocks: number
  /**
   * The CIDs of those blocks that are dag-cbor
   */
  readonly dagCbor: readonly string[]
}

/**
 * What a contender's process does for its parent
 */
export interface WorkerFunctions {
  open(init: WorkerInit): Promise<Identity>
  /**
   * Adds once, without a clock
   */
  fill(directory: string): Promise<Added>
  /**
   * Reads back what is stored under the root, or was added last where there is
   * none, and compares it with the source
   */
  verify(directory: string, cid: string | null): Promise<void>
  round(directory: string, phase: Phase): Promise<Sample>
  /**
   * Writes the DAG of a root into a CAR file; undefined where the contender's
   * blocks are not dagfs' own
   */
  exportCar(cid: string | null, file: string): Promise<ExportedCar | undefined>
  peakMemory(): Promise<PeakMemory>
}
