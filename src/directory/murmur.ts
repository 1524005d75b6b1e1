/**
 * murmur3_x86_32 of some bytes with a seed, as an unsigned integer. Austin Appleby's public-domain MurmurHash3.
 */
export function murmur3 (bytes: Uint8Array, seed: number): number {
  const { length } = bytes
  const wholeBytes = length - length % 4
  let hash = seed

  for (let i = 0; i < wholeBytes; i += 4) {
    const word = bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24
    hash = Math.imul(rotate(hash ^ mix(word), 13), 5) + 0xe6546b64 | 0
  }

  let rest = 0

  for (let i = length - 1; i >= wholeBytes; i--) {
    rest = rest << 8 | bytes[i]
  }

  return avalanche(hash ^ mix(rest) ^ length)
}

function mix (word: number): number {
  return Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
}

function rotate (word: number, bits: number): number {
  return word << bits | word >>> 32 - bits
}

function avalanche (hash: number): number {
  const once = Math.imul(hash ^ hash >>> 16, 0x85ebca6b)
  const twice = Math.imul(once ^ once >>> 13, 0xc2b2ae35)

  return (twice ^ twice >>> 16) >>> 0
}
