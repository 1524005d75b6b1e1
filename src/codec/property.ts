import { Cursor, major } from './cursor.ts'
import { encode } from './encode.ts'
import { behindHead, lengthAt, outside, skipItem, skipString } from './skip.ts'
import { readValue } from './value.ts'
import type { Block } from './schema.ts'
import type { Value } from './value.ts'

const absent = -1

/**
 * Reads one property of any dag-cbor block without decoding the rest, such as `['author', 'name']` or `['parts', 3]`. Answers
 * undefined, which no value of dag-cbor is, where there is none. Links are not followed.
 *
 * The value itself is read strictly. Of what stands before it, it is checked that heads are canonical and that lengths lie within
 * the block, and of the maps on the way that the keys up to it are strings in canonical order. What stands behind it
 * is not looked at: whether a block is canonical as a whole is checked where it is taken in, once.
 *
 * @throws {InvalidNodeError} where what is looked at is not canonical dag-cbor
 * @throws {LimitExceededError} where the block is larger than 2 MiB, or the value is nested more than 512 deep
 */
export function readProperty (block: Block, path: ReadonlyArray<string | number>): Value | undefined {
  const { bytes } = block
  const cursor = new Cursor(bytes, block.cid)

  for (const segment of path) {
    const at = typeof segment === 'string' ? findKey(bytes, cursor.position, segment) : findIndex(bytes, cursor.position, segment)

    if (at === absent) {
      return
    }

    if (at >= bytes.byteLength) {
      cursor.fail('what stands before a property is not canonical or ends too early')
    }

    cursor.position = at
  }

  const value = readValue(cursor)

  if (path.length === 0) {
    cursor.end()
  }

  return value
}

/** Where the value of a key begins in the map at a position, or `absent`. */
function findKey (bytes: Uint8Array, map: number, key: string): number {
  if (bytes[map] >> 5 !== major.map) {
    return absent
  }

  // encoded with their heads, keys are in the order of their bytes
  const wanted = encode(key)
  const end = bytes.byteLength
  let at = behindHead(bytes, map)
  let [previousStart, previousEnd] = [0, 0]

  for (let left = lengthAt(bytes, map); left > 0; left--) {
    const value = skipString(bytes, at)

    if (bytes[at] >> 5 !== major.text || value >= end || compare(bytes, previousStart, previousEnd, bytes, at, value) >= 0) {
      return outside
    }

    const order = compare(bytes, at, value, wanted, 0, wanted.byteLength)

    if (order >= 0) {
      return order === 0 ? value : absent
    }

    previousStart = at
    previousEnd = value
    at = skipItem(bytes, value, end)
  }

  return at > end ? outside : absent
}

/** Where an item of the list at a position begins, or `absent`. */
function findIndex (bytes: Uint8Array, list: number, index: number): number {
  if (bytes[list] >> 5 !== major.list || !Number.isInteger(index) || index < 0 || index >= lengthAt(bytes, list)) {
    return absent
  }

  let at = behindHead(bytes, list)

  for (let left = index; left > 0 && at < bytes.byteLength; left--) {
    at = skipItem(bytes, at, bytes.byteLength)
  }

  return at
}

/** Orders two stretches of bytes as unsigned bytes, a prefix first. */
function compare (a: Uint8Array, aStart: number, aEnd: number, b: Uint8Array, bStart: number, bEnd: number): number {
  let i = aStart
  let j = bStart

  while (i < aEnd && j < bEnd && a[i] === b[j]) {
    i++
    j++
  }

  return i < aEnd && j < bEnd ? a[i] - b[j] : (aEnd - i) - (bEnd - j)
}
