import { randomBytes } from 'node:crypto'
import { digestBytes } from '../format/section.ts'
import type { Location } from '../format/locations.ts'

// a key has 35 bytes unless its codec is a rare one
const keyBytesGuess = 35
const initialCapacity = 64

/** Segments count from 1: where this stands, the block is gone */
const gone = 0

/**
 * Where blocks stand, by their keys, and which are gone: a map without objects. Of a hundred thousand of them the collector
 * of garbage would take its time, and hundreds of megabytes.
 */
export class LocationTable {
  /** Numbers of entries, counted from 1, at the place that the key's hash gives or behind it */
  #slots = new Int32Array(2 * initialCapacity)
  #keys = new Uint8Array(keyBytesGuess * initialCapacity)
  #keyEnds = new Uint32Array(initialCapacity)
  #segments = new Uint32Array(initialCapacity)
  #offsets = new Float64Array(initialCapacity)
  #lengths = new Uint32Array(initialCapacity)
  #size = 0
  // nobody can make keys that meet in one slot
  readonly #seed = randomBytes(4).readUInt32LE()

  get size (): number {
    return this.#size
  }

  has (key: Uint8Array): boolean {
    return this.#slots[this.#slotOf(key)] > 0
  }

  /** Where a block stands; undefined where the table does not know, or knows that it is gone */
  get (key: Uint8Array): Location | undefined {
    const entry = this.#slots[this.#slotOf(key)] - 1

    return entry < 0 ? undefined : this.#location(entry)
  }

  set (key: Uint8Array, location: Location | undefined): void {
    let slot = this.#slotOf(key)

    if (this.#slots[slot] === 0) {
      if (this.#size === this.#segments.length) {
        this.#grow()
        slot = this.#slotOf(key)
      }

      this.#addKey(key)
      this.#slots[slot] = this.#size
    }

    const entry = this.#slots[slot] - 1
    this.#segments[entry] = location?.segment ?? gone
    this.#offsets[entry] = location?.offset ?? 0
    this.#lengths[entry] = location?.length ?? 0
  }

  /** Takes over what another table knows, over what this one does. */
  setAll (other: LocationTable): void {
    for (const [key, location] of other.entries()) {
      this.set(key, location)
    }
  }

  /** All that the table knows, in the order in which it came */
  * entries (): Generator<[key: Uint8Array, location: Location | undefined]> {
    for (let entry = 0; entry < this.#size; entry++) {
      yield [this.#key(entry), this.#location(entry)]
    }
  }

  /**
   * All that the table knows, roughly in the order of the keys: sorted by what the hashes begin with, in as many places as
   * there are entries, or 65,536. To sort by all of it would hold the event loop for a tenth of a second.
   */
  * roughlySorted (): Generator<[key: Uint8Array, location: Location | undefined]> {
    const bits = Math.min(16, 32 - Math.clz32(this.#size))
    const ends = new Uint32Array(2 ** bits)
    const order = new Uint32Array(this.#size)

    for (let entry = 0; entry < this.#size; entry++) {
      ends[this.#hashStart(entry, bits)]++
    }

    for (let i = 1; i < ends.length; i++) {
      ends[i] += ends[i - 1]
    }

    for (let entry = this.#size - 1; entry >= 0; entry--) {
      order[--ends[this.#hashStart(entry, bits)]] = entry
    }

    for (const entry of order) {
      yield [this.#key(entry), this.#location(entry)]
    }
  }

  /** The first bits of the hash, 16 at the most */
  #hashStart (entry: number, bits: number): number {
    const at = this.#keyEnds[entry] - digestBytes

    return (this.#keys[at] << 8 | this.#keys[at + 1]) >>> 16 - bits
  }

  #slotOf (key: Uint8Array): number {
    const mask = this.#slots.length - 1
    let slot = hash(key, this.#seed) & mask

    while (this.#slots[slot] > 0 && !this.#isKey(this.#slots[slot] - 1, key)) {
      slot = (slot + 1) & mask
    }

    return slot
  }

  #isKey (entry: number, key: Uint8Array): boolean {
    const [start, end] = [this.#keyStart(entry), this.#keyEnds[entry]]

    if (end - start !== key.byteLength) {
      return false
    }

    for (let i = key.byteLength - 1; i >= 0; i--) {
      if (this.#keys[start + i] !== key[i]) {
        return false
      }
    }

    return true
  }

  #key (entry: number): Uint8Array {
    return this.#keys.subarray(this.#keyStart(entry), this.#keyEnds[entry])
  }

  #keyStart (entry: number): number {
    return entry === 0 ? 0 : this.#keyEnds[entry - 1]
  }

  #location (entry: number): Location | undefined {
    const segment = this.#segments[entry]

    return segment === gone ? undefined : { segment, offset: this.#offsets[entry], length: this.#lengths[entry] }
  }

  #addKey (key: Uint8Array): void {
    const start = this.#keyStart(this.#size)
    const end = start + key.byteLength

    if (end > this.#keys.byteLength) {
      const larger = new Uint8Array(2 * end)
      larger.set(this.#keys)
      this.#keys = larger
    }

    this.#keys.set(key, start)
    this.#keyEnds[this.#size++] = end
  }

  #grow (): void {
    const capacity = 2 * this.#segments.length
    this.#keyEnds = enlarged(new Uint32Array(capacity), this.#keyEnds)
    this.#segments = enlarged(new Uint32Array(capacity), this.#segments)
    this.#offsets = enlarged(new Float64Array(capacity), this.#offsets)
    this.#lengths = enlarged(new Uint32Array(capacity), this.#lengths)
    this.#slots = new Int32Array(2 * capacity)

    for (let entry = 0; entry < this.#size; entry++) {
      this.#slots[this.#slotOf(this.#key(entry))] = entry + 1
    }
  }
}

function enlarged <T extends Uint32Array | Float64Array> (larger: T, list: T): T {
  larger.set(list)

  return larger
}

/** Mixes the last eight bytes of a key, which are those of a hash. */
function hash (key: Uint8Array, seed: number): number {
  const end = key.byteLength
  const high = key[end - 1] | key[end - 2] << 8 | key[end - 3] << 16 | key[end - 4] << 24
  const low = key[end - 5] | key[end - 6] << 8 | key[end - 7] << 16 | key[end - 8] << 24
  const mixed = Math.imul(high ^ seed, 0x9e3779b1) ^ low
  const again = Math.imul(mixed ^ mixed >>> 15, 0x85ebca6b)

  return again ^ again >>> 13
}
