import type { EditSizes } from './sizes.ts'
import type { EditSample } from './workloads/index.ts'
import type { SubjectFunctions } from '../../harness/measure-subjects.ts'

export interface EditWorkerInit {
  readonly contender: string
  readonly workload: string
  readonly sizes: EditSizes
}

/**
 * What the process of one contender and workload does for its parent
 */
export type EditWorkerFunctions = SubjectFunctions<EditWorkerInit, { readonly cid: string }, EditSample>
