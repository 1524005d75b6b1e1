import { commitMagic } from './record.ts'
import { endOf, maxBlockBytes, maxHeadBytes, readHead } from './section.ts'

/** Where sections stand in a buffer: the keys in their heads, their data, and the ends of it */
export interface Places {
  readonly keys: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** A section that begins as commit records do */
export interface Suspect {
  /** Which of those that were found */
  readonly index: number
  /** Where its head begins */
  readonly head: number
}

export interface LocatedSections {
  /** How many sections were found */
  readonly length: number
  /** Those that may be commit records */
  readonly suspects: readonly Suspect[]
  /** Where the first section begins that is not whole */
  readonly next: number
}

// the version, a codec of one byte, and the multihash
const plainHeadBytes = 1 + 1 + 34
const minSectionBytes = 1 + plainHeadBytes

/** Room for as many sections as a buffer can have. */
export function placesIn ({ byteLength }: Uint8Array): Places {
  const make = (): Uint32Array => new Uint32Array(Math.ceil(byteLength / minSectionBytes))

  return { keys: make(), starts: make(), ends: make() }
}

/**
 * Finds the sections in some bytes, which begin with one; undefined where something else stands among them.
 *
 * @param bytes - a part of a segment
 * @param places - is overwritten with where they stand
 * @param isLast - whether the segment ends with these bytes
 */
export function locateSections (bytes: Uint8Array, places: Places, isLast: boolean): LocatedSections | undefined {
  // one section takes some nanoseconds, so that each call and each number that is kept for it would show
  const { keys, starts, ends } = places
  const [first, second] = commitMagic
  const suspects: Suspect[] = []
  const { byteLength } = bytes
  // the head that begins behind this may be cut off
  const headsEnd = isLast ? byteLength : byteLength - maxHeadBytes
  let index = 0
  let head = 0

  for (; head < headsEnd; index++) {
    let lengthEnd = head + 1
    let length = bytes[head] & 0x7f

    for (let shift = 7; bytes[lengthEnd - 1] >= 0x80 && shift < 28; shift += 7) {
      length |= (bytes[lengthEnd++] & 0x7f) << shift
    }

    const key = lengthEnd + 1
    // what nearly all sections look like: a length in its shortest form, version 1, a codec of one byte, sha2-256
    const isPlain = bytes[lengthEnd - 1] < 0x80 && bytes[lengthEnd - 1] > 0 && bytes[lengthEnd] === 1 && bytes[key] < 0x80 &&
      bytes[key + 1] === 0x12 && bytes[key + 2] === 0x20 && length >= plainHeadBytes && length <= plainHeadBytes + maxBlockBytes

    if (isPlain) {
      keys[index] = key
      starts[index] = lengthEnd + plainHeadBytes
      ends[index] = lengthEnd + length
    } else if (!placeRare(bytes, head, places, index)) {
      return
    }

    const start = starts[index]
    const end = ends[index]

    if (end > byteLength) {
      break
    }

    if (bytes[start] === first && bytes[start + 1] === second) {
      suspects.push({ index, head })
    }

    head = end
  }

  return isLast && head < byteLength ? undefined : { length: index, suspects, next: head }
}

/** Notes where the parts of any section stand, and returns whether it is one. */
function placeRare (bytes: Uint8Array, head: number, { keys, starts, ends }: Places, index: number): boolean {
  const section = readHead(bytes, head, 0)

  if (section === undefined) {
    return false
  }

  keys[index] = section.dataOffset - section.key.byteLength
  starts[index] = section.dataOffset
  ends[index] = endOf(section)

  return true
}
