import { CidList } from './cid-list.ts'
import type { CID } from 'multiformats/cid'

const firstSlots = 1024
const freeSlot = 0

/**
 * A set of CIDs of the format that takes some 40 bytes each: a list of them, and a hash table of indexes into it.
 */
export class CidSet {
  readonly #cids = new CidList()
  /** Indexes into the list, counted from 1, by the hash of the CID */
  #slots = new Uint32Array(firstSlots)
  /** Digests in a hostile node can be any bytes. Random factors keep its author from choosing those that collide */
  readonly #factors = crypto.getRandomValues(new Uint32Array(9))

  has (cid: CID): boolean {
    return this.#slots[this.#slotOf(cid)] !== freeSlot
  }

  /** Adds a CID. Returns whether it is new. */
  add (cid: CID): boolean {
    const slot = this.#slotOf(cid)

    if (this.#slots[slot] !== freeSlot) {
      return false
    }

    this.#cids.push(cid)
    this.#slots[slot] = this.#cids.length

    // two thirds full
    if (this.#cids.length * 3 > this.#slots.length * 2) {
      this.#grow()
    }

    return true
  }

  #grow (): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    let place = 0

    for (const cid of this.#cids) {
      this.#slots[this.#slotOf(cid)] = ++place
    }
  }

  /** The slot that a CID has, or would take. */
  #slotOf (cid: CID): number {
    const mask = this.#slots.length - 1
    let slot = this.#hash(cid) & mask

    while (this.#slots[slot] !== freeSlot && !isOf(this.#cids.bytesAt(this.#slots[slot] - 1), cid)) {
      slot = (slot + 1) & mask
    }

    return slot
  }

  #hash ({ code, multihash: { digest } }: CID): number {
    let hash = Math.imul(code, this.#factors[8])

    for (let i = 0; i < 8; i++) {
      const word = digest[4 * i] | digest[4 * i + 1] << 8 | digest[4 * i + 2] << 16 | digest[4 * i + 3] << 24
      hash = Math.imul(hash ^ Math.imul(word, this.#factors[i] | 1), 0x85ebca6b)
      hash ^= hash >>> 15
    }

    return hash >>> 0
  }
}

function isOf (item: Uint8Array, { code, multihash: { digest } }: CID): boolean {
  return item[0] === code && digest.every((byte, i) => byte === item[i + 1])
}
