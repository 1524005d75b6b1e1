import { createHash } from 'node:crypto'
import { chacha20 } from '@noble/ciphers/chacha.js'

const NONCE = new Uint8Array(12)
const CHACHA_BLOCK_BYTES = 64
const PIECE_BYTES = 2 ** 20

/**
 * Yields the ChaCha20 keystream of a seed (key: sha2-256 of the seed, nonce:
 * zero) in pieces of 1 MiB. IPIP-499 makes the inputs of its fixtures so.
 */
export function * keystream (seed: string, length: number): Generator<Uint8Array> {
  const key = createHash('sha256').update(seed).digest()

  for (let offset = 0; offset < length; offset += PIECE_BYTES) {
    const zeros = new Uint8Array(Math.min(PIECE_BYTES, length - offset))

    yield chacha20(key, NONCE, zeros, undefined, offset / CHACHA_BLOCK_BYTES)
  }
}

/**
 * Integers drawn from a seed's keystream, the same on every machine
 */
export class SeededRandom {
  readonly #words: Iterator<number>

  constructor (seed: string) {
    this.#words = words(seed)
  }

  /**
   * Returns an integer from 0 up to, but not including, `limit`
   */
  below (limit: number): number {
    return this.#words.next().value % limit
  }
}

function * words (seed: string): Generator<number, never> {
  for (let round = 0; ; round++) {
    for (const piece of keystream(`${seed}/${round}`, PIECE_BYTES)) {
      const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength)

      for (let offset = 0; offset < piece.byteLength; offset += 4) {
        yield view.getUint32(offset, true)
      }
    }
  }
}
