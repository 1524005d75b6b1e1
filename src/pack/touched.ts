import { isAtOrBehind } from './locations.ts'
import type { Location } from './locations.ts'
import type { Place } from './record.ts'

/**
 * Which blocks were put since the last commit, or would have been if the store had not had them: a draft may need them,
 * though no root reaches them. Found blocks are remembered by 48 bits of their hash, so that now and then a block more
 * is kept than would have to be.
 */
export class Touched {
  #start: Place
  #found = new Set<number>()
  #holders = 0

  constructor (start: Place) {
    this.#start = start
  }

  add (key: Uint8Array): void {
    this.#found.add(short(key))
  }

  has (key: Uint8Array, location: Location): boolean {
    return isAtOrBehind(location, this.#start) || this.isFound(key)
  }

  /** Whether a put found the block in the store */
  isFound (key: Uint8Array): boolean {
    return this.#found.has(short(key))
  }

  /** Begins again, unless somebody relies on what was gathered. */
  clear (start: Place): void {
    if (this.#holders === 0) {
      this.#start = start
      this.#found = new Set()
    }
  }

  /** Keeps gathering while something runs. */
  async hold <T> (work: () => Promise<T>): Promise<T> {
    this.#holders++

    try {
      return await work()
    } finally {
      this.#holders--
    }
  }
}

function short (key: Uint8Array): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUIntBE(key.byteLength - 6, 6)
}
