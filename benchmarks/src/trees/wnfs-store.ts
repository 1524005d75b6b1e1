import { hash } from 'node:crypto'
import toBuffer from 'it-to-buffer'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import type { Blockstore } from 'interface-blockstore'
import type { BlockStore } from 'wnfs'

const SHA2_256 = 0x12

type Keyed = Omit<BlockStore, 'putBlock'>

/**
 * The store that wnfs wants, over a Map: the fastest that there is.
 */
export function wnfsMapStore (): BlockStore {
  const blocks = new Map<string, Uint8Array>()

  return withSha256({
    getBlock: async cid => blocks.get(keyOf(cid)),
    hasBlock: async cid => blocks.has(keyOf(cid)),
    putBlockKeyed: async (cid, bytes) => { blocks.set(keyOf(cid), bytes) }
  })
}

/**
 * The same over a store that others can have too.
 */
export function wnfsStoreOver (store: Pick<Blockstore, 'get' | 'put' | 'has'>): BlockStore {
  return withSha256({
    getBlock: async cid => toBuffer(store.get(CID.decode(cid))),
    hasBlock: async cid => store.has(CID.decode(cid)),
    putBlockKeyed: async (cid, bytes) => { await store.put(CID.decode(cid), bytes) }
  })
}

/**
 * Without `putBlock` it hashes with BLAKE3, and other contenders with sha2-256.
 */
function withSha256 (store: Keyed): BlockStore {
  return {
    ...store,
    async putBlock (bytes: Uint8Array, codec: number) {
      const cid = CID.createV1(codec, create(SHA2_256, hash('sha256', bytes, 'buffer'))).bytes

      await store.putBlockKeyed(cid, bytes)

      return cid
    }
  }
}

/**
 * The cheapest text that is one for each CID
 */
function keyOf (cid: Uint8Array): string {
  return Buffer.from(cid.buffer, cid.byteOffset, cid.byteLength).toString('latin1')
}
