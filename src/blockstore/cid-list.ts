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

  * [Symbol.iterator] (): Generator<CID> {
    for (let i = 0; i < this.#length; i++) {
      const page = this.#pages[Math.floor(i / pageItems)]
      const start = (i % pageItems) * itemBytes

      yield cidOf(page[start] === rawCode ? rawCode : dagCborCode, page.subarray(start + 1, start + itemBytes))
    }
  }
}
