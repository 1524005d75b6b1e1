import { diffFlat, diffNested } from './diff.ts'
import { insertFewer, insertMore } from './insert.ts'
import { patch } from './patch.ts'
import { read } from './read.ts'
import { fillFewer, fillMore, write } from './write.ts'
import type { Workload } from './workload.ts'

export type { Counted, EditSample, OpenWorkload, Workload } from './workload.ts'

const all: readonly Workload[] = [write, read, fillFewer, fillMore, insertFewer, insertMore, patch, diffFlat, diffNested]

export const workloadKeys: readonly string[] = all.map(({ key }) => key)

/**
 * Looks a workload up by its exact key.
 */
export function workloadOf (key: string): Workload {
  const workload = all.find(candidate => candidate.key === key)

  if (workload == null) {
    throw new Error(`there is no workload ${key}; there are ${workloadKeys.join(', ')}`)
  }

  return workload
}
