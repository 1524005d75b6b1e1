import { maxItems } from './limits.ts'

/**
 * The position of a fault: behind the end of every block, and it stays there whatever is added to it. Whoever skips asks once in the
 * end whether where he is lies within the block. Reading behind the end gives undefined, which acts as 0, and moves on
 * by a byte. So there is no branch for faults on the way, and positions are small integers, which engines are fast with.
 */
export const outside = 2 ** 29

const linkHead = [0xd8, 0x2a] as const
const falseByte = 0xf4
const nullByte = 0xf6
const floatByte = 0xfb
const infinityExponent = 0x7ff0

/**
 * The position behind the item at a position, however it is nested; a fault is a position behind the end. Only heads are
 * read: it is checked that each is canonical, that lengths lie within the block, that lists and maps have as many items as
 * they claim, that tags are 42 and stand before bytes, and that floats are finite and of eight bytes; not that strings
 * are UTF-8, that the keys of maps are strings in order, or that the bytes of links are CIDs.
 */
export function skipItem (bytes: Uint8Array, at: number, end: number): number {
  let position = at

  // counted, not nested: the depth of a hostile block must not become that of our stack
  for (let pending = 1; pending > 0; pending--) {
    const type = bytes[position] >> 5
    const info = bytes[position] & 31

    // the shapes that most items have are told here: to call what knows all of them takes longer than to skip one
    if (type < 2) {
      if (info < 24) {
        position++
      } else if (info === 25 && bytes[position + 1] > 0) {
        position += 3
      } else if (info === 26 && (bytes[position + 1] | bytes[position + 2]) > 0) {
        position += 5
      } else {
        position = skipInteger(bytes, position)
      }
    } else if (type < 4) {
      position = info < 24 ? position + 1 + info : skipString(bytes, position)
    } else if (type < 6 && info < 24) {
      pending += type === 4 ? info : 2 * info
      position++
    } else if (type < 6) {
      const count = lengthAt(bytes, position)
      pending += type === 4 ? count : 2 * count
      position = count <= maxItems ? behindHead(bytes, position) : outside
    } else {
      position = type === 6 ? skipLink(bytes, position) : skipSimple(bytes, position)
    }

    if (position > end) {
      return outside
    }
  }

  return position
}

/** The position behind a string of bytes or text, whichever was found there. */
export function skipString (bytes: Uint8Array, at: number): number {
  return behindHead(bytes, at) + lengthAt(bytes, at)
}

/** The position behind a link. */
function skipLink (bytes: Uint8Array, at: number): number {
  return bytes[at] === linkHead[0] && bytes[at + 1] === linkHead[1] && bytes[at + 2] >> 5 === 2 ? skipString(bytes, at + 2) : outside
}

/** The position behind an integer of either sign. */
function skipInteger (bytes: Uint8Array, at: number): number {
  return isShortest(bytes, at) ? behindHead(bytes, at) : outside
}

/** The position behind an integer that is not negative. */
export function skipUnsigned (bytes: Uint8Array, at: number): number {
  return bytes[at] >> 5 === 0 ? skipInteger(bytes, at) : outside
}

function skipSimple (bytes: Uint8Array, at: number): number {
  if (bytes[at] === floatByte) {
    return ((bytes[at + 1] << 8 | bytes[at + 2]) & infinityExponent) === infinityExponent ? outside : at + 9
  }

  return bytes[at] >= falseByte && bytes[at] <= nullByte ? at + 1 : outside
}

/** The position behind an item's head. */
export function behindHead (bytes: Uint8Array, at: number): number {
  const info = bytes[at] & 31

  return info < 24 ? at + 1 : at + 1 + (1 << (info & 3))
}

/** The length of a string or the count of a list or map; what is not canonical or longer than any block is `outside`. */
export function lengthAt (bytes: Uint8Array, at: number): number {
  const info = bytes[at] & 31

  if (info < 24) {
    return info
  }

  if (info === 24) {
    return bytes[at + 1] >= 24 ? bytes[at + 1] : outside
  }

  const length = info < 27 && isShortest(bytes, at) ? argumentAt(bytes, at) : outside

  return length < outside ? length : outside
}

/** The argument of an item's head that is canonical; NaN beyond 2^53-1. */
export function argumentAt (bytes: Uint8Array, at: number): number {
  switch (bytes[at] & 31) {
    case 24:
      return bytes[at + 1]
    case 25:
      return bytes[at + 1] << 8 | bytes[at + 2]
    case 26:
      return uint32At(bytes, at + 1)
    case 27:
      return safe(uint32At(bytes, at + 1) * 2 ** 32 + uint32At(bytes, at + 5))
    default:
      return bytes[at] & 31
  }
}

/** Whether an argument would not have had room in a shorter head. */
function isShortest (bytes: Uint8Array, at: number): boolean {
  switch (bytes[at] & 31) {
    case 24:
      return bytes[at + 1] >= 24
    case 25:
      return bytes[at + 1] > 0
    case 26:
      return (bytes[at + 1] | bytes[at + 2]) > 0
    case 27:
      return uint32At(bytes, at + 1) > 0
    default:
      return (bytes[at] & 31) < 24
  }
}

function uint32At (bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]) >>> 0
}

function safe (value: number): number {
  return value <= Number.MAX_SAFE_INTEGER ? value : NaN
}
