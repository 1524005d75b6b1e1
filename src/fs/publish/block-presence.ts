import { throwIfAborted } from '../../abort.ts'
import type { BlockStore } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Whether a store, asked for a block, failed because it does not have it. Stores say so in many ways, so they are asked
 * once more.
 */
export async function isMissing (store: BlockStore, cid: CID, err: unknown, options?: AbortOptions): Promise<boolean> {
  throwIfAborted(options?.signal)

  return store.has === undefined ? err instanceof Error && err.name === 'NotFoundError' : !await store.has(cid, options)
}

/**
 * Whether a store has a block, as far as it can be asked.
 */
export async function isPresent (store: BlockStore, cid: CID, options?: AbortOptions): Promise<boolean> {
  return store.has === undefined || await store.has(cid, options)
}
