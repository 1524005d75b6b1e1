import { digestKey, maxWrittenBlockBytes } from '../codec/index.ts'
import { LimitExceededError } from '../errors.ts'
import { ReadWriteLock } from './read-write-lock.ts'
import { withCid } from './with-cid.ts'
import type { BlockKeeper, BlockTarget } from './store.ts'
import type { Block } from '../codec/index.ts'
import type { AbortOptions, PutOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

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
  put(block: Block, options?: PutOptions): Promise<void>
  /**
   * As `put`, for many small blocks: returns undefined where the store took the block without a promise, and throws at
   * once where it failed so. The bytes may be a part of a larger buffer, which no store keeps for them: whoever
   * has it may use it again once the block is put.
   */
  putAtOnce(block: Block, options?: PutOptions): Promise<void> | undefined
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
  readonly #lock = new ReadWriteLock()
  readonly #store: BlockTarget & Pick<BlockKeeper, 'copiesBytes'>
  readonly #pending = new Map<string, PendingPut>()

  constructor (store: BlockTarget) {
    this.#store = store
  }

  async put (block: Block, options?: PutOptions): Promise<void> {
    checkSize(block)
    await this.beside(async () => this.#putOnce(block, options), options)
  }

  putAtOnce (block: Block, options?: PutOptions): Promise<void> | undefined {
    checkSize(block)
    const owned = { cid: block.cid, bytes: this.#own(block.bytes) }

    if (this.#pending.size > 0 || !this.#lock.enterNow()) {
      return this.put(owned, options)
    }

    let putting: Promise<void> | undefined

    try {
      putting = this.#start(owned, options)
    } finally {
      if (putting === undefined) {
        this.#lock.leave()
      }
    }

    return putting?.finally(() => { this.#lock.leave() })
  }

  async beside <T> (work: () => Promise<T>, options?: AbortOptions): Promise<T> {
    await this.#lock.enter(options)

    try {
      return await work()
    } finally {
      this.#lock.leave()
    }
  }

  async alone <T> (work: () => Promise<T>, options?: AbortOptions): Promise<T> {
    return this.#lock.alone(work, options)
  }

  async #putOnce (block: Block, options?: PutOptions): Promise<void> {
    const key = digestKey(block.cid)

    // another caller's put may fail for a reason of its own, such as its signal: then it is tried again here
    for (let other = this.#pending.get(key); other !== undefined; other = this.#pending.get(key)) {
      if (await other.isDone && other.code === block.cid.code) {
        return
      }
    }

    await this.#start(block, options)
  }

  /** A store that keeps bytes would keep the whole buffer that they are a part of. */
  #own (bytes: Uint8Array): Uint8Array {
    return this.#store.copiesBytes === true || bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
  }

  #start ({ cid, bytes }: Block, options?: PutOptions): Promise<void> | undefined {
    let result: CID | Promise<CID>

    try {
      result = this.#store.put(cid, bytes, options)
    } catch (err) {
      throw withCid(err, cid, options)
    }

    return result instanceof Promise ? this.#track(cid, result, options) : undefined
  }

  async #track (cid: CID, put: Promise<unknown>, options?: AbortOptions): Promise<void> {
    const key = digestKey(cid)
    this.#pending.set(key, { code: cid.code, isDone: put.then(() => true, () => false) })

    try {
      await put
    } catch (err) {
      throw withCid(err, cid, options)
    } finally {
      this.#pending.delete(key)
    }
  }
}

function checkSize ({ cid, bytes }: Block): void {
  if (bytes.byteLength > maxWrittenBlockBytes) {
    throw new LimitExceededError(`a block of ${bytes.byteLength} bytes is larger than ${maxWrittenBlockBytes}`, { cid })
  }
}
