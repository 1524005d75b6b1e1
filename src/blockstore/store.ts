import type { AbortOptions } from '../options.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

/**
 * What is needed of an `interface-blockstore`, with its options reduced to those that are passed to it.
 */
export interface BlockSource {
  get(cid: CID, options?: AbortOptions): ReturnType<Blockstore['get']>
}

export interface BlockTarget {
  put(cid: CID, bytes: Uint8Array, options?: AbortOptions): CID | Promise<CID>
}

export type BlockStore = BlockSource & BlockTarget
