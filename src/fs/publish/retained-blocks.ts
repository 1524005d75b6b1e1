import { blockWriter } from '../../blockstore/index.ts'
import { cidKey, rawCode } from '../../codec/index.ts'
import { isPresent } from './block-presence.ts'
import type { BlockStore } from '../../blockstore/index.ts'
import type { Block } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'

// another collection may delete again what was restored
const tries = 3

/**
 * The blocks that a handle has put since its last commit, as many as fit into a budget. Nothing protects them from another
 * garbage collector until they are pinned, and so they can be put again. Those of directories and of files' indexes stay
 * longest: what they say is said nowhere else, while content can be written again.
 */
export class RetainedBlocks {
  readonly #store: BlockStore
  readonly #budgetBytes: number
  /** The oldest first */
  readonly #content = new Map<string, Block>()
  readonly #nodes = new Map<string, Block>()
  #bytes = 0

  constructor (store: BlockStore, budgetBytes: number) {
    this.#store = store
    this.#budgetBytes = budgetBytes
  }

  add ({ cid, bytes }: Block): void {
    const [blocks, key] = [cid.code === rawCode ? this.#content : this.#nodes, cidKey(cid)]

    if (blocks.has(key) || bytes.byteLength > this.#budgetBytes) {
      return
    }

    // whoever has the whole buffer may use it again once the block is put
    const isOwn = this.#store.copiesBytes !== true && bytes.byteLength === bytes.buffer.byteLength
    blocks.set(key, { cid, bytes: isOwn ? bytes : bytes.slice() })
    this.#bytes += bytes.byteLength

    while (this.#bytes > this.#budgetBytes) {
      this.#dropOldest()
    }
  }

  #dropOldest (): void {
    const blocks = this.#content.size > 0 ? this.#content : this.#nodes

    const [[key, { bytes }]] = blocks
    blocks.delete(key)
    this.#bytes -= bytes.byteLength
  }

  clear (): void {
    this.#content.clear()
    this.#nodes.clear()
    this.#bytes = 0
  }

  /** Does some work again as long as it fails and something could be restored. `puts` forgets before that what it has put. */
  async restoring <T> (work: () => Promise<T>, puts: { forget(): void }, options: AbortOptions, triesLeft = tries): Promise<T> {
    try {
      return await work()
    } catch (err) {
      if (triesLeft === 0 || options.signal?.aborted === true || !await this.#restore(options)) {
        throw err
      }
    }

    puts.forget()

    return this.restoring(work, puts, options, triesLeft - 1)
  }

  /** Puts those again that are not in the store any more, children before their parents; returns whether there were any. */
  async #restore (options: AbortOptions): Promise<boolean> {
    let isRestored = false

    for (const block of [...this.#content.values(), ...this.#nodes.values()]) {
      if (!await isPresent(this.#store, block.cid, options)) {
        await blockWriter(this.#store).put(block, options)
        isRestored = true
      }
    }

    return isRestored
  }
}
