import { keyNumber } from '../format/key-text.ts'

// a set of so many numbers takes about as much memory as the bits
const maxNumbers = 2 ** 18
// 16 MiB, in which one key in eight is taken for found where 16 million are
const bits = 2 ** 27

/**
 * Keys by 48 bits of their hashes; of many, by 27 bits, so that memory has an end. A key that was added is always found.
 */
export class KeyFilter {
  readonly #numbers = new Set<number>()
  #bits: Uint8Array | undefined

  add (key: Uint8Array): void {
    const number = keyNumber(key)

    if (this.#bits !== undefined) {
      setBit(this.#bits, number)
    } else if (this.#numbers.add(number).size > maxNumbers) {
      this.#bits = new Uint8Array(bits / 8)

      for (const each of this.#numbers) {
        setBit(this.#bits, each)
      }

      this.#numbers.clear()
    }
  }

  has (key: Uint8Array): boolean {
    const number = keyNumber(key)

    return this.#bits === undefined ? this.#numbers.has(number) : hasBit(this.#bits, number)
  }
}

function setBit (target: Uint8Array, number: number): void {
  const bit = number % bits
  target[bit >>> 3] |= 1 << (bit & 7)
}

function hasBit (target: Uint8Array, number: number): boolean {
  const bit = number % bits

  return (target[bit >>> 3] & 1 << (bit & 7)) !== 0
}
