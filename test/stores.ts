import { MemoryBlockstore } from 'blockstore-core'
import type { BlockStore } from '../src/blockstore/index.ts'
import type { AbortOptions } from '../src/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * A memory store that counts what is asked of it, and fails or waits where it is told to.
 */
export class CountingStore implements BlockStore {
  readonly inner = new MemoryBlockstore()
  gets = 0
  puts = 0
  putBytes = 0
  /** Gets that were under way at the same time are one round trip */
  roundTrips = 0
  #open = 0
  failPutAt = Number.POSITIVE_INFINITY

  async * get (cid: CID, options?: AbortOptions): AsyncGenerator<Uint8Array> {
    this.gets++
    this.roundTrips += this.#open === 0 ? 1 : 0
    this.#open++

    try {
      // long enough for every request of the same round to come in
      await new Promise(resolve => setTimeout(resolve, 5))
      yield * this.inner.get(cid, options)
    } finally {
      this.#open--
    }
  }

  async put (cid: CID, bytes: Uint8Array, options?: AbortOptions): Promise<CID> {
    this.puts++
    this.putBytes += bytes.byteLength

    if (this.puts >= this.failPutAt) {
      throw new Error('the store is full')
    }

    await Promise.resolve()

    return this.inner.put(cid, bytes, options)
  }

  reset (): void {
    this.gets = 0
    this.puts = 0
    this.putBytes = 0
    this.roundTrips = 0
  }
}
