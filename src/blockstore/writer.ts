import { digestKey, maxWrittenBlockBytes } from '../codec/index.ts'
import { LimitExceededError } from '../errors.ts'
import { Gate } from './gate.ts'
import { withCid } from './with-cid.ts'
import type { BlockTarget } from './store.ts'
import type { Block } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'

/**
 * Writes blocks.
 */
export interface BlockWriter {
  /**
   * Resolves once the store has taken the block.
   *
   * @throws {Error} what the store throws, with the block's CID added as `cid`
   * @throws {LimitExceededError} where the block is larger than 1 MiB
   */
  put(block: Block, options?: AbortOptions): Promise<void>
}

/**
 * Writes blocks for all who have the same store.
 */
export interface SharedWriter extends BlockWriter {
  /** Does some work while nobody of them puts a block: those who want to wait. */
  alone<T>(work: () => Promise<T>, options?: AbortOptions): Promise<T>
  /** Does some work that such work does not come between, as a put is. */
  beside<T>(work: () => Promise<T>, options?: AbortOptions): Promise<T>
}

/** A put under way: its codec, and whether it succeeded. Some stores know a block by its hash alone. */
interface PendingPut {
  readonly code: number
  readonly isDone: Promise<boolean>
}

const writers = new WeakMap<BlockTarget, SharedWriter>()

/**
 * Writes to a store, each block once at a time: some stores stall for a second or fail when the same block is put twice
 * at once. All that write to one store share one writer.
 */
export function blockWriter (store: BlockTarget): SharedWriter {
  const known = writers.get(store)

  if (known !== undefined) {
    return known
  }

  const writer = new OnceWriter(store)
  writers.set(store, writer)

  return writer
}

class OnceWriter implements SharedWriter {
  readonly #gate = new Gate()
  readonly #store: BlockTarget
  readonly #pending = new Map<string, PendingPut>()

  constructor (store: BlockTarget) {
    this.#store = store
  }

  async put (block: Block, options?: AbortOptions): Promise<void> {
    if (block.bytes.byteLength > maxWrittenBlockBytes) {
      throw new LimitExceededError(`a block of ${block.bytes.byteLength} bytes is larger than ${maxWrittenBlockBytes}`, { cid: block.cid })
    }

    await this.beside(async () => this.#putOnce(block, options), options)
  }

  async beside <T> (work: () => Promise<T>, options?: AbortOptions): Promise<T> {
    await this.#gate.enter(options)

    try {
      return await work()
    } finally {
      this.#gate.leave()
    }
  }

  async alone <T> (work: () => Promise<T>, options?: AbortOptions): Promise<T> {
    return this.#gate.alone(work, options)
  }

  async #putOnce (block: Block, options?: AbortOptions): Promise<void> {
    const key = digestKey(block.cid)

    // another caller's put may fail for a reason of its own, such as its signal: then it is tried again here
    for (let other = this.#pending.get(key); other !== undefined; other = this.#pending.get(key)) {
      if (await other.isDone && other.code === block.cid.code) {
        return
      }
    }

    try {
      const result = this.#store.put(block.cid, block.bytes, options)

      if (result instanceof Promise) {
        await this.#track(key, block.cid.code, result)
      }
    } catch (err) {
      throw withCid(err, block.cid)
    }
  }

  async #track (key: string, code: number, put: Promise<unknown>): Promise<void> {
    this.#pending.set(key, { code, isDone: put.then(() => true, () => false) })

    try {
      await put
    } finally {
      this.#pending.delete(key)
    }
  }
}
