import { commitMagic } from './record.ts'
import { endOf, maxBlockBytes, maxHeadBytes, readHead } from './section.ts'

/** Where sections stand in a buffer: their heads, the keys in them, their data, and the ends of it */
export interface Places {
  readonly heads: Uint32Array
  readonly keys: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

export interface Located {
  /** How many sections were found */
  readonly length: number
  /** Which of them begin as commit records do */
  readonly suspects: readonly number[]
  /** Where the first section begins that is not whole */
  readonly next: number
}

// the version, a codec of one byte, and the multihash
const plainHeadBytes = 1 + 1 + 34
const minSectionBytes = 1 + plainHeadBytes

/** Room for as many sections as a buffer can have. */
export function placesIn ({ byteLength }: Uint8Array): Places {
  const make = (): Uint32Array => new Uint32Array(Math.ceil(byteLength / minSectionBytes))

  return { heads: make(), keys: make(), starts: make(), ends: make() }
}

/**
 * Finds the sections in some bytes, which begin with one; undefined where something else stands among them.
 *
 * @param bytes - a part of a segment
 * @param places - is overwritten with where they stand
 * @param isLast - whether the segment ends with these bytes
 */
export function locate (bytes: Uint8Array, places: Places, isLast: boolean): Located | undefined {
  const [first, second] = commitMagic
  const suspects: number[] = []
  const { byteLength } = bytes
  let length = 0
  let next = 0

  // the head that begins behind this may be cut off
  for (const headsEnd = isLast ? byteLength : byteLength - maxHeadBytes; next < headsEnd; length++) {
    const end = place(bytes, next, places, length)

    if (end === undefined) {
      return
    }

    if (end > byteLength) {
      break
    }

    const start = places.starts[length]

    if (bytes[start] === first && bytes[start + 1] === second) {
      suspects.push(length)
    }

    next = end
  }

  return isLast && next < byteLength ? undefined : { length, suspects, next }
}

/** Notes where the parts of a section stand, and answers where it ends, which may be behind the bytes. */
function place (bytes: Uint8Array, at: number, { heads, keys, starts, ends }: Places, i: number): number | undefined {
  let lengthEnd = at + 1
  let length = bytes[at] & 0x7f

  for (let shift = 7; bytes[lengthEnd - 1] >= 0x80 && shift < 28; shift += 7) {
    length |= (bytes[lengthEnd++] & 0x7f) << shift
  }

  const key = lengthEnd + 1
  // what nearly all sections look like: a length in its shortest form, version 1, a codec of one byte, sha2-256
  const isPlain = bytes[lengthEnd - 1] < 0x80 && bytes[lengthEnd - 1] > 0 && bytes[lengthEnd] === 1 && bytes[key] < 0x80 &&
    bytes[key + 1] === 0x12 && bytes[key + 2] === 0x20 && length >= plainHeadBytes && length <= plainHeadBytes + maxBlockBytes

  if (isPlain) {
    heads[i] = at
    keys[i] = key
    starts[i] = lengthEnd + plainHeadBytes
    ends[i] = lengthEnd + length

    return lengthEnd + length
  }

  return placeRare(bytes, at, { heads, keys, starts, ends }, i)
}

function placeRare (bytes: Uint8Array, at: number, { heads, keys, starts, ends }: Places, i: number): number | undefined {
  const section = readHead(bytes, at, 0)

  if (section === undefined) {
    return
  }

  heads[i] = at
  keys[i] = section.dataOffset - section.key.byteLength
  starts[i] = section.dataOffset
  ends[i] = endOf(section)

  return endOf(section)
}
