import { Cursor, major } from './cursor.ts'
import { maxItems } from './limits.ts'
import { behindHead, lengthAt, outside, skipItem } from './skip.ts'
import { readValue } from './value.ts'
import type { Value } from './value.ts'
import type { CID } from 'multiformats/cid'

const absent = -1
const encoder = new TextEncoder()

/** The bytes of a dag-cbor block, at most 2 MiB, and the CID that errors are to name, if any. */
export interface EncodedBlock {
  readonly bytes: Uint8Array
  readonly cid?: CID
}

/**
 * Reads one property of any dag-cbor block without decoding the rest, such as `['author', 'name']` or `['parts', 3]`. Returns
 * undefined, which no value of dag-cbor is, where there is none. Links are not followed.
 *
 * The value itself is read strictly. Of what stands before it, it is checked that heads are canonical and that lengths lie within
 * the block, of the maps and lists on the way that they claim no more than 262,144 items, and of the maps that the keys up to it are
 * strings in canonical order. Where another kind of value stands on the way, there is no property, and its head is checked. What stands behind it
 * is not looked at: whether a block is canonical as a whole is checked where it is taken in, once. Byte arrays in the result are views
 * into the block's bytes. Maps have no prototype, and integers beyond 2^53-1 are bigints.
 *
 * @param block - its bytes, and its CID where errors are to name it
 * @param path - keys of maps and indexes of lists, from the outermost value inwards; none for the whole value
 *
 * @throws {InvalidNodeError} where what is looked at is not canonical dag-cbor
 * @throws {LimitExceededError} where the block is larger than 2 MiB, or the value is nested more than 512 deep
 *
 * @example
 *
 * ```ts
 * import { encode } from '@ipld/dag-cbor'
 * import { readProperty } from 'dagfs'
 *
 * const bytes = encode({ author: { name: 'Ada' }, parts: ['first', 'second'], text: 'more than anybody asked for' })
 *
 * console.log(readProperty({ bytes }, ['author', 'name'])) // Ada
 * console.log(readProperty({ bytes }, ['parts', 1])) // second
 * ```
 */
export function readProperty (block: EncodedBlock, path: ReadonlyArray<string | number>): Value | undefined {
  const { bytes } = block
  const cursor = new Cursor(bytes, block.cid)

  for (const segment of path) {
    const at = typeof segment === 'string' ? findKey(bytes, cursor.position, segment) : findIndex(bytes, cursor.position, segment)

    if (at === absent) {
      return
    }

    if (at >= bytes.byteLength) {
      cursor.fail('the block is not canonical, or ends too early, before the property')
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
    return absentIn(bytes, map)
  }

  const count = lengthAt(bytes, map)

  if (count > maxItems) {
    return outside
  }

  const wanted = utf8Units(key)
  const end = bytes.byteLength
  let at = behindHead(bytes, map)
  // nothing is shorter than no key, and the empty one may come first
  let [previousStart, previousEnd] = [0, -1]

  for (let left = count; left > 0; left--) {
    const start = behindHead(bytes, at)
    const value = start + lengthAt(bytes, at)

    if (bytes[at] >> 5 !== major.text || value >= end || isBefore(bytes, start, value, previousStart, previousEnd)) {
      return outside
    }

    const order = compareWith(wanted, bytes, start, value)

    if (order >= 0) {
      return order === 0 ? value : absent
    }

    previousStart = start
    previousEnd = value
    at = skipItem(bytes, value, end)
  }

  return at > end ? outside : absent
}

/** `absent`, where a head that is canonical stands at a position: what is in another list or map is not looked at. */
function absentIn (bytes: Uint8Array, at: number): number {
  const type = bytes[at] >> 5
  const isThere = type === major.list || type === major.map ? lengthAt(bytes, at) <= maxItems : skipItem(bytes, at, bytes.byteLength) < outside

  return isThere ? absent : outside
}

/**
 * A string whose units are the bytes of a text in UTF-8: the text itself, where it is ASCII, as most keys are. No key is text that
 * is not well-formed, whose surrogates are units that no byte is.
 */
function utf8Units (text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) {
      return text.isWellFormed() ? Array.from(encoder.encode(text), byte => String.fromCharCode(byte)).join('') : text
    }
  }

  return text
}

/** Orders a key in a block against the one that is wanted, as the keys of a map are: shorter ones first, then by their bytes. */
function compareWith (wanted: string, bytes: Uint8Array, start: number, end: number): number {
  let difference = end - start - wanted.length

  for (let i = 0; difference === 0 && i < wanted.length; i++) {
    difference = bytes[start + i] - wanted.charCodeAt(i)
  }

  return difference
}

/** Whether a key stands before another one in the order of keys, or is the same. */
function isBefore (bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  const difference = end - start - (otherEnd - otherStart)

  if (difference !== 0) {
    return difference < 0
  }

  let at = 0

  while (start + at < end && bytes[start + at] === bytes[otherStart + at]) {
    at++
  }

  return start + at === end || bytes[start + at] < bytes[otherStart + at]
}

/** Where an item of the list at a position begins, or `absent`. */
function findIndex (bytes: Uint8Array, list: number, index: number): number {
  if (bytes[list] >> 5 !== major.list) {
    return absentIn(bytes, list)
  }

  const count = lengthAt(bytes, list)

  if (count > maxItems) {
    return outside
  }

  if (!Number.isInteger(index) || index < 0 || index >= count) {
    return absent
  }

  let at = behindHead(bytes, list)

  for (let left = index; left > 0 && at < bytes.byteLength; left--) {
    at = skipItem(bytes, at, bytes.byteLength)
  }

  return at
}
