import type { TreeStore } from './contenders/index.ts'
import type { Counted } from './protocol.ts'
import type { CID } from 'multiformats/cid'

/**
 * Passes everything on to a store, and counts what it was asked for: every block
 * as often as it was read or put.
 */
export class MeteredStore implements TreeStore {
  readonly #store: TreeStore
  #counted = NOTHING

  constructor (store: TreeStore) {
    this.#store = store
  }

  /**
   * What was asked for since the last call of this
   */
  take (): Counted {
    const counted = this.#counted

    this.#counted = NOTHING

    return counted
  }

  async * get (cid: CID): AsyncGenerator<Uint8Array> {
    this.#add({ blocksRead: 1 })

    for await (const bytes of this.#store.get(cid)) {
      this.#add({ bytesRead: bytes.byteLength })
      yield bytes
    }
  }

  async put (cid: CID, bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<CID> {
    if (!(bytes instanceof Uint8Array)) {
      throw new Error('a block was put in pieces, which are not counted')
    }

    this.#add({ blocksPut: 1, bytesPut: bytes.byteLength })

    return this.#store.put(cid, bytes)
  }

  async has (cid: CID): Promise<boolean> {
    return this.#store.has(cid)
  }

  #add (counted: Partial<Counted>): void {
    const { blocksRead, bytesRead, blocksPut, bytesPut } = this.#counted

    this.#counted = {
      blocksRead: blocksRead + (counted.blocksRead ?? 0),
      bytesRead: bytesRead + (counted.bytesRead ?? 0),
      blocksPut: blocksPut + (counted.blocksPut ?? 0),
      bytesPut: bytesPut + (counted.bytesPut ?? 0)
    }
  }
}

const NOTHING: Counted = { blocksRead: 0, bytesRead: 0, blocksPut: 0, bytesPut: 0 }
