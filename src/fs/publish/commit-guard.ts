import { decodeRootRecord } from '../../codec/index.ts'
import { MissingBlockError } from '../../errors.ts'
import { reachable } from '../gc/reachable.ts'
import { isPresent } from './block-presence.ts'
import { findMissing } from './find-missing.ts'
import { newBlocksBelow } from './new-blocks-below.ts'
import { dropPin, isPinnedByUs, pinBlocks } from './pins.ts'
import type { PinStore } from './pins.ts'
import type { Standing } from './root-types.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { RootStore } from '../../roots/index.ts'
import type { CID } from 'multiformats/cid'

export interface CommitGuardInit {
  readonly store: BlockStore
  readonly blocks: BlockReader
  /** What the handle has put since its last commit */
  readonly puts: Iterable<CID>
  /** Where there are pins, roots are pinned */
  readonly pins: PinStore | undefined
  /** Whether a root is published, so that others know of it and may collect garbage */
  readonly isPublic: boolean
}

/**
 * Sees to it that a root is published only while its blocks are there, and that they stay. Both cost time by what was put
 * since the last commit.
 */
export class CommitGuard {
  readonly #init: CommitGuardInit
  /** The root that this handle has pinned last */
  #pinned: CID | undefined

  constructor (init: CommitGuardInit) {
    this.#init = init
  }

  /**
   * Checks that the blocks below a root which is about to be published, and was made of the trees in `from`, are there, and
   * pins them. Returns how to take the pin back.
   *
   * @throws {MissingBlockError} where somebody else has deleted one
   */
  async protect (next: Standing, from: readonly CID[], options: AbortOptions): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#protect(next, from, options)
    } catch (err) {
      if (!(err instanceof MissingBlockError)) {
        throw err
      }

      const { store, blocks, puts } = this.#init
      const missing = await findMissing(store, blocks, next.tree, puts, options)

      throw missing === undefined ? err : new MissingBlockError('a block put since the last commit was deleted; write its content again', { ...missing, cause: err })
    }
  }

  async #protect (next: Standing, from: readonly CID[], options: AbortOptions): Promise<(() => Promise<void>) | undefined> {
    const { store, blocks, puts, pins, isPublic } = this.#init
    const roots = next.snapshot === undefined ? [next.tree] : [next.tree, next.snapshot]

    if (pins === undefined) {
      return isPublic ? this.#check(roots, options) : undefined
    }

    if (await this.#arePinned(pins, from, options)) {
      return pinBlocks(pins, next.tree, newBlocksBelow(store, blocks, roots, puts, options), options)
    }

    await this.#check(roots, options)
    const below = reachable(store, blocks, roots.map(cid => ({ cid, isOptional: true, isLenient: true })), options)

    return pinBlocks(pins, next.tree, below, options)
  }

  async #arePinned (pins: PinStore, roots: readonly CID[], options: AbortOptions): Promise<boolean> {
    for (const root of roots) {
      if (!await isPinnedByUs(pins, root, options)) {
        return false
      }
    }

    return true
  }

  /** Most often all that was put is there; else it is looked for what the root needs of it. */
  async #check (roots: readonly CID[], options: AbortOptions): Promise<undefined> {
    const { store, blocks, puts } = this.#init

    for (const cid of puts) {
      if (!await isPresent(store, cid, options)) {
        for await (const needed of newBlocksBelow(store, blocks, roots, puts, options)) {
          void needed
        }

        return
      }
    }
  }

  /** Drops the pin of a root whose name was removed, unless another name has the same root. */
  async unpublished (root: CID, roots: RootStore, options: AbortOptions): Promise<void> {
    const { pins } = this.#init

    if (pins === undefined) {
      return
    }

    for await (const name of roots.names(options)) {
      const record = await roots.get(name, options)

      if (record !== undefined && decodeRootRecord(record).tree.equals(root)) {
        return
      }
    }

    await dropPin(pins, root, options)
  }

  /** Drops the pin of a root that another one took the place of. */
  async moved (before: CID | undefined, now: CID, options: AbortOptions): Promise<void> {
    const { pins, isPublic } = this.#init
    const isOurs = isPublic || (before !== undefined && this.#pinned?.equals(before) === true)
    this.#pinned = now

    if (pins !== undefined && before !== undefined && isOurs && !before.equals(now)) {
      await dropPin(pins, before, options)
    }
  }
}
