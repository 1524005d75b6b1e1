import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/** Says which blocks a pin is about. */
interface PinWalker {
  walk(root: CID, options?: AbortOptions): AsyncGenerator<{ readonly block: { readonly cid: CID } }>
}

interface WalkOptions extends AbortOptions {
  walker?(components: never): PinWalker
}

interface AddPinOptions extends WalkOptions {
  readonly metadata?: Record<string, string | number | boolean>
}

/** A pin as a `PinStore` lists it. */
export interface Pin {
  readonly cid: CID
  readonly depth: number
  readonly metadata: Record<string, string | number | boolean>
}

/**
 * What is needed of the pins of a Helia node.
 */
export interface PinStore {
  /**
   * Pins the blocks that the walker gives, and yields their CIDs.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { createHelia } from 'helia'
   *
   * const helia = createHelia()
   * const fs = dagfs(helia, { pin: false })
   * await fs.writeFile('/notes.md', 'hello')
   * const { root } = await fs.commit()
   *
   * for await (const cid of helia.pins.add(root)) {
   *   console.log(cid.equals(root)) // true
   * }
   * ```
   */
  add(cid: CID, options?: AddPinOptions): AsyncIterable<CID>

  /**
   * Drops a pin, and yields the CIDs of its blocks.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { createHelia } from 'helia'
   *
   * const helia = createHelia()
   * const fs = dagfs(helia)
   * await fs.writeFile('/draft.md', 'hello')
   * const { root } = await fs.commit()
   *
   * for await (const cid of helia.pins.rm(root)) {
   *   console.log(await helia.pins.isPinned(cid)) // false
   * }
   * ```
   */
  rm(cid: CID, options?: WalkOptions): AsyncIterable<CID>

  /**
   * The pin of a CID; fails with a `NotFoundError` where there is none.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { createHelia } from 'helia'
   *
   * const helia = createHelia()
   * const { root } = await dagfs(helia).commit()
   * console.log((await helia.pins.get(root)).metadata) // { dagfs: true }
   * ```
   */
  get(cid: CID, options?: AbortOptions): Promise<Pick<Pin, 'metadata'>>

  /**
   * All pins.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { createHelia } from 'helia'
   *
   * const helia = createHelia()
   * const fs = dagfs(helia)
   * const { root } = await fs.commit()
   *
   * for await (const { cid, metadata } of helia.pins.ls()) {
   *   console.log(cid.equals(root), metadata.dagfs) // true true
   * }
   * ```
   */
  ls(options?: AbortOptions): AsyncIterable<Pin>

  /**
   * Whether a block is pinned, by itself or with a root above it.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { createHelia } from 'helia'
   *
   * const helia = createHelia()
   * const fs = dagfs(helia)
   * await fs.writeFile('/photo.jpg', new Uint8Array(100_000))
   * await fs.commit()
   * const { cid } = await fs.stat('/photo.jpg')
   * console.log(cid !== undefined && await helia.pins.isPinned(cid)) // true
   * ```
   */
  isPinned(cid: CID, options?: AbortOptions): Promise<boolean>
}

/** What our pins carry, so that they can be told from the user's */
const mark = 'dagfs'

/**
 * Whether a pin was left on garbage by a collection that was interrupted.
 */
export function isOnGarbage ({ metadata }: Pick<Pin, 'metadata'>): boolean {
  return metadata[mark] === 'garbage'
}

/**
 * Whether a pin protects a root that was committed.
 */
export function isOurs ({ metadata }: Pick<Pin, 'metadata'>): boolean {
  return metadata[mark] === true
}

/**
 * Pins exactly these blocks under a root; returns how to take that back, or undefined where somebody else has pinned the
 * root, and so all of it.
 *
 * A pin counts for each of its blocks. A commit adds one for the blocks that are new, and drops the last pin without
 * touching the counts of its blocks: most of them are in the new tree as well, and to look for those that are not would
 * cost a walk through everything. They stay counted until `fs.gc()` finds that nothing reaches them.
 */
export async function pinBlocks (pins: PinStore, root: CID, blocks: AsyncIterable<CID>, options: AbortOptions): Promise<(() => Promise<void>) | undefined> {
  const pin = await findPin(pins, root, options)

  if (pin !== undefined) {
    if (!isOurs(pin)) {
      return
    }

    // it was the root once before
    await dropPin(pins, root, options)
  }

  const done: CID[] = []

  const takeBack = async (): Promise<void> => {
    if (await findPin(pins, root, {}) === undefined) {
      await addPin(pins, root, [], {})
    }

    await removePin(pins, root, done, {})
  }

  try {
    for await (const cid of pins.add(root, { ...options, walker: walkerOf(blocks), metadata: { [mark]: true } })) {
      done.push(cid)
    }
  } catch (err) {
    await takeBack()
    throw err
  }

  return takeBack
}

/**
 * Drops a pin of ours and leaves the counts of its blocks as they are.
 */
export async function dropPin (pins: PinStore, root: CID, options: AbortOptions): Promise<void> {
  const pin = await findPin(pins, root, options)

  if (pin !== undefined && isOurs(pin)) {
    await removePin(pins, root, [], options)
  }
}

/**
 * Whether we have pinned all that is below a root.
 */
export async function isPinnedByUs (pins: PinStore, root: CID, options: AbortOptions): Promise<boolean> {
  const pin = await findPin(pins, root, options)

  return pin !== undefined && isOurs(pin)
}

/**
 * Takes all counts from blocks that no pin has, or may have, any more.
 */
export async function unpinBlocks (pins: PinStore, blocks: readonly CID[], options: AbortOptions): Promise<void> {
  for (let left = await pinned(pins, blocks, options); left.length > 0; left = await pinned(pins, left, options)) {
    // only who has a pin can take a count: the first of them gets one for as long
    if (await findPin(pins, left[0], options) === undefined) {
      await drain(pins.add(left[0], { ...options, walker: walkerOf([]), metadata: { [mark]: 'garbage' } }))
    }

    await removePin(pins, left[0], left, options)
  }
}

async function pinned (pins: PinStore, blocks: readonly CID[], options: AbortOptions): Promise<CID[]> {
  const found: CID[] = []

  for (const cid of blocks) {
    if (await pins.isPinned(cid, options)) {
      found.push(cid)
    }
  }

  return found
}

async function findPin (pins: PinStore, root: CID, options: AbortOptions): Promise<Pick<Pin, 'metadata'> | undefined> {
  try {
    return await pins.get(root, options)
  } catch (err) {
    if (err instanceof Error && err.name === 'NotFoundError') {
      return
    }

    throw err
  }
}

async function addPin (pins: PinStore, root: CID, blocks: readonly CID[], options: AbortOptions): Promise<void> {
  await drain(pins.add(root, { ...options, walker: walkerOf(blocks), metadata: { [mark]: true } }))
}

async function removePin (pins: PinStore, root: CID, blocks: readonly CID[], options: AbortOptions): Promise<void> {
  await drain(pins.rm(root, { ...options, walker: walkerOf(blocks) }))
}

/** Pins do their work while they are iterated over. */
async function drain (pinning: AsyncIterable<CID>): Promise<void> {
  for await (const cid of pinning) {
    void cid
  }
}

function walkerOf (blocks: Iterable<CID> | AsyncIterable<CID>): () => PinWalker {
  return () => ({
    async * walk () {
      for await (const cid of blocks) {
        yield { block: { cid } }
      }
    }
  })
}
