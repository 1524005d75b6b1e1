import { hash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import type { BlockStore } from 'wnfs'

const SHA2_256 = 0x12

/**
 * The four methods that wnfs wants of a store, over a Map. Without `putBlock` it
 * hashes with BLAKE3, and other contenders with sha2-256.
 */
export class WnfsStore implements BlockStore {
  readonly #blocks = new Map<string, Uint8Array>()

  async getBlock (cid: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#blocks.get(keyOf(cid))
  }

  async hasBlock (cid: Uint8Array): Promise<boolean> {
    return this.#blocks.has(keyOf(cid))
  }

  async putBlock (bytes: Uint8Array, codec: number): Promise<Uint8Array> {
    const cid = CID.createV1(codec, create(SHA2_256, hash('sha256', bytes, 'buffer'))).bytes

    await this.putBlockKeyed(cid, bytes)

    return cid
  }

  async putBlockKeyed (cid: Uint8Array, bytes: Uint8Array): Promise<void> {
    this.#blocks.set(keyOf(cid), bytes)
  }
}

/**
 * The cheapest text that is one for each CID
 */
function keyOf (cid: Uint8Array): string {
  return Buffer.from(cid.buffer, cid.byteOffset, cid.byteLength).toString('latin1')
}
