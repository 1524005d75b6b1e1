import type { EditSizes } from './options.ts'
import type { EditSample } from './workloads/index.ts'
import type { Identity } from '../../harness/protocol.ts'

export interface EditWorkerInit {
  readonly contender: string
  readonly workload: string
  readonly sizes: EditSizes
}

/**
 * What the process of one contender and workload does for its parent
 */
export interface EditWorkerFunctions {
  /**
   * Makes ready what every round begins with
   */
  open(init: EditWorkerInit): Promise<Identity>
  /**
   * Does one round, reads back what it left, and answers its CID
   */
  check(): Promise<string>
  round(): Promise<EditSample>
  peakMemory(): Promise<number>
}
