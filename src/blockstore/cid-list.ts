import { cidOf, dagCborCode, rawCode } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

const digestBytes = 32
const itemBytes = digestBytes + 1
const pageItems = 1024

/**
 * A list of CIDs of the format at 33 bytes each, for as many as a large import makes.
 */
export class CidList {
  readonly #pages: Uint8Array[] = []
  #length = 0

  get length (): number {
    return this.#length
  }

  push ({ code, multihash }: CID): void {
    const index = this.#length % pageItems

    if (index === 0) {
      this.#pages.push(new Uint8Array(pageItems * itemBytes))
    }

    const page = this.#pages[this.#pages.length - 1]
    page[index * itemBytes] = code
    page.set(multihash.digest, index * itemBytes + 1)
    this.#length++
  }

  /** The code and the digest of a CID, by its index, which must be one of the list. */
  bytesAt (index: number): Uint8Array {
    const start = (index % pageItems) * itemBytes

    return this.#pages[Math.floor(index / pageItems)].subarray(start, start + itemBytes)
  }

  * [Symbol.iterator] (): Generator<CID> {
    for (let i = 0; i < this.#length; i++) {
      const item = this.bytesAt(i)

      yield cidOf(item[0] === rawCode ? rawCode : dagCborCode, item.subarray(1))
    }
  }
}
