import type { RootStore } from '../../roots/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * What a store guarantees for a commit: `none` where it has taken the blocks but may lose them in a power cut, `commit`
 * where blocks and root were synced before the commit resolved.
 */
export type Durability = 'none' | 'commit'

/** Where roots are published, and how they are protected. */
export interface RootInit {
  /**
   * Publish the root under this name, of 1 to 128 bytes, and begin with what is published under it. It needs `roots`.
   * Default: commits move the root of this handle alone
   */
  readonly name?: string
  /**
   * Where names are kept. Handles that are to share names pass stores of roots over the same file, database or object.
   * Garbage collection keeps all that is published in it.
   */
  readonly roots?: RootStore
  /** Pin every root that is committed, so that `helia.gc()` spares it. Default: true where there are pins */
  readonly pin?: boolean
  /**
   * What a commit is to guarantee. `commit` is refused where the blockstore or the store of roots cannot sync. Default:
   * `commit` where both can, else `none`
   */
  readonly durable?: Durability
}

/** The root that a handle stands on. */
export interface OpenedRoot {
  /** The tree that edits are made over; undefined for an empty directory that was never committed */
  readonly root: CID | undefined
  /** The last snapshot of its history */
  readonly snapshot: CID | undefined
  /**
   * What was published when the handle was opened and is not in the blockstore: the root, whose place `root` took then,
   * which is the root before it, and the last snapshot. Empty where nothing was lost
   */
  readonly missing: readonly CID[]
  /**
   * What says how edits store files:
   *
   * - `recorded`: the record of the name, or the last snapshot
   * - `given`: the option `layout`
   * - `default`: nothing, so edits use `dagfs1`. The files of a tree that was opened by its CID may have another layout
   */
  readonly layout: LayoutSource
}

/** What says which layout a handle uses. */
export type LayoutSource = 'recorded' | 'given' | 'default'

/** A tree, and the last snapshot of its history. */
export interface Standing {
  readonly tree: CID
  readonly snapshot?: CID
}
