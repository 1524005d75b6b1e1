import type { AbortOptions, PutOptions } from '../options.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

/**
 * What is needed of an `interface-blockstore`, with its options reduced to those that are passed to it.
 */
export interface BlockSource {
  get(cid: CID, options?: AbortOptions): ReturnType<Blockstore['get']>
}

export interface BlockTarget {
  put(cid: CID, bytes: Uint8Array, options?: PutOptions): CID | Promise<CID>
}

/**
 * What stores can do besides, and what each of it is for.
 */
export interface BlockKeeper {
  /** Whether it has copied the bytes of a block once a put resolves. Other stores may keep the bytes, and are given a copy */
  readonly copiesBytes?: boolean
  /** Whether it compares what it gives with the CID, so that nobody has to hash it again */
  readonly checksBytes?: boolean
  /** Commits look whether somebody else has deleted what they put */
  has?(cid: CID, options?: AbortOptions): boolean | Promise<boolean>
  /** Garbage collection needs it, and `getAll` */
  delete?(cid: CID, options?: AbortOptions): void | Promise<void>
  getAll?(options?: AbortOptions): ReturnType<Blockstore['getAll']>
  /** Resolves once all blocks that were put before survive a power cut: commits then say `durability: 'commit'` */
  sync?(options?: AbortOptions): Promise<void>
}

/** A blockstore as `dagfs()` takes it: any `interface-blockstore` is one. */
export type BlockStore = BlockSource & BlockTarget & BlockKeeper
