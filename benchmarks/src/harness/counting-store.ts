import { MemoryBlockstore } from 'blockstore-core'
import type { CID } from 'multiformats/cid'

interface Block {
  readonly cid: CID
  readonly bytes: Uint8Array
}

interface ReadableStore {
  get(cid: CID): AsyncGenerator<Uint8Array> | Generator<Uint8Array>
}

/**
 * Holds what is written to it, and reads the rest from a store below, to which
 * nothing is ever written. Counts the blocks that are read.
 */
export class CountingStore {
  readonly #inner = new MemoryBlockstore()
  readonly #below: ReadableStore | undefined
  /**
   * MemoryBlockstore forgets the codecs, and the CIDs with them
   */
  readonly #blocks = new Map<string, Block>()
  gets = 0

  constructor (below?: ReadableStore) {
    this.#below = below
  }

  async * get (cid: CID): AsyncGenerator<Uint8Array> {
    this.gets++

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
