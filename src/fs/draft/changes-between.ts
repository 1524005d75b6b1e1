import { diffTrees } from '../../compare/index.ts'
import type { ChangeType } from './change-emitter.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { CID } from 'multiformats/cid'

/**
 * What those who watch a tree are to be told of where another one takes its place.
 */
export async function changesBetween (blocks: BlockReader, before: CID, after: CID, options: ReadOptions): Promise<Array<[ChangeType, string]>> {
  const changes: Array<[ChangeType, string]> = []

  for await (const change of diffTrees(blocks, before, after, { ...options, isEntered: () => false })) {
    options.budget?.lengthen(change.path)
    changes.push([change.kind === 'changed' && !change.fields.includes('kind') ? 'change' : 'rename', change.path])
  }

  return changes
}
