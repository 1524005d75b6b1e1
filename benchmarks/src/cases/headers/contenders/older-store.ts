import { BaseBlockstore } from 'blockstore-core-5'
import toBuffer from 'it-to-buffer'
import type { TreeStore } from './contender.ts'
import type { CID } from 'multiformats/cid'

type OlderCID = Parameters<BaseBlockstore['put']>[0]

/**
 * A store as interface-blockstore 5 has it, over one of version 7: bytes in place
 * of pieces.
 */
export function olderStore (store: TreeStore): BaseBlockstore {
  return new OlderStore(store)
}

class OlderStore extends BaseBlockstore {
  readonly #store: TreeStore

  constructor (store: TreeStore) {
    super()
    this.#store = store
  }

  override async put (cid: OlderCID, bytes: Uint8Array): Promise<OlderCID> {
    await this.#store.put(newer(cid), bytes)

    return cid
  }

  override async get (cid: OlderCID): Promise<Uint8Array> {
    return toBuffer(this.#store.get(newer(cid)))
  }

  override has (cid: OlderCID): boolean | Promise<boolean> {
    return this.#store.has(newer(cid))
  }
}

/**
 * CIDs of both versions are the same, but for the type of buffer that theirs
 * names
 */
function newer (cid: OlderCID): CID {
  return cid as unknown as CID
}
