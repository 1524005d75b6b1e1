import { MemoryBlockstore } from 'blockstore-core'
import type { Block } from './internals.ts'
import type { CID } from 'multiformats/cid'

interface ReadableStore {
  get(cid: CID): AsyncGenerator<Uint8Array> | Generator<Uint8Array>
}

/**
 * Holds what is written to it, and reads the rest from a store below, to which
 * nothing is ever written.
 */
export class CountingStore {
  readonly #inner = new MemoryBlockstore()
  readonly #below: ReadableStore | undefined
  /**
   * MemoryBlockstore forgets the codecs, and the CIDs with them
   */
  readonly #blocks = new Map<string, Block>()

  constructor (below?: ReadableStore) {
    this.#below = below
  }

  async * get (cid: CID): AsyncGenerator<Uint8Array> {
    const store = this.#below == null || this.#blocks.has(cid.toString()) ? this.#inner : this.#below

    yield * store.get(cid)
  }

  async put (cid: CID, bytes: Uint8Array): Promise<CID> {
    this.#blocks.set(cid.toString(), { cid, bytes })

    return this.#inner.put(cid, bytes)
  }

  get blocks (): Block[] {
    return [...this.#blocks.values()]
  }
}
