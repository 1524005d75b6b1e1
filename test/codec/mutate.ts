import { below } from '../seed.ts'

/**
 * Damages some bytes in one to three ways: bits, bytes, cuts, repetitions, pieces of other blocks.
 */
export function mutate (bytes: Uint8Array, others: readonly Uint8Array[], next: () => number): Uint8Array {
  let mutated = bytes

  for (let left = 1 + below(next, 3); left > 0; left--) {
    mutated = mutateOnce(mutated, others, next)
  }

  return mutated
}

// heads that are one step from something legal: lengths, tags, indefinite forms, floats, null
const heads = [0x00, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x20, 0x38, 0x40, 0x58, 0x5f, 0x60, 0x78, 0x80, 0x82, 0x84, 0x85, 0x98, 0x9f, 0xa0, 0xa1, 0xb8, 0xbf, 0xc0, 0xd8, 0xf4, 0xf6, 0xf7, 0xf9, 0xfb, 0xff]

function mutateOnce (bytes: Uint8Array, others: readonly Uint8Array[], next: () => number): Uint8Array {
  const at = below(next, bytes.byteLength + 1)
  const end = Math.min(bytes.byteLength, at + below(next, 12))
  const copy = bytes.slice()

  switch (below(next, 7)) {
    case 0:
      copy[at] ^= 1 << below(next, 8)
      return copy
    case 1:
      copy[at] = below(next, 256)
      return copy
    case 2:
      copy[at] = heads[below(next, heads.length)]
      return copy
    case 3:
      return bytes.slice(0, at)
    case 4:
      return join(bytes.subarray(0, at), bytes.subarray(end))
    case 5:
      return join(bytes.subarray(0, end), bytes.subarray(at))
    default: {
      const other = others[below(next, others.length)]
      const start = below(next, other.byteLength)

      return join(bytes.subarray(0, at), other.subarray(start, start + below(next, 20)), bytes.subarray(end))
    }
  }
}

function join (...pieces: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let offset = 0

  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.byteLength
  }

  return bytes
}
