import { LimitExceededError } from '../errors.ts'
import { readMap } from './attributes.ts'
import { readAnyCid } from './cid.ts'
import { major } from './cursor.ts'
import { maxValueDepth } from './limits.ts'
import type { Cursor } from './cursor.ts'
import type { CID } from 'multiformats/cid'

/**
 * What dag-cbor can say. Maps have no prototype, so that a key `__proto__` is a key like any other.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | CID | readonly Value[] | { readonly [key: string]: Value }

const nullByte = 0xf6
const eightByteInfo = 27
const infinityExponent = 0x7ff0

/**
 * Reads a value of canonical dag-cbor, whatever it is. Integers beyond 2^53-1 are bigints, as `@ipld/dag-cbor` gives them.
 */
export function readValue (cursor: Cursor, depth = 0): Value {
  switch (cursor.peek()) {
    case major.unsigned:
    case major.negative:
      return hasEightBytes(cursor) ? bigInteger(cursor) : cursor.integer('an integer')
    case major.bytes:
      return cursor.byteString('bytes')
    case major.text:
      return cursor.text('a string')
    case major.list:
      return readList(cursor, deeper(cursor, depth))
    case major.map:
      return readKeyed(cursor, deeper(cursor, depth))
    case major.tag:
      return readAnyCid(cursor.linkBytes('a link')) ?? cursor.fail('a link is not a CID')
    default:
      return hasEightBytes(cursor) ? float(cursor) : simple(cursor)
  }
}

// calls nest as deep as values do, and a stack overflow would be no typed error
function deeper (cursor: Cursor, depth: number): number {
  if (depth === maxValueDepth) {
    throw new LimitExceededError(`a value is nested more than ${maxValueDepth} deep, at byte ${cursor.position}`)
  }

  return depth + 1
}

function readList (cursor: Cursor, depth: number): Value[] {
  const values: Value[] = []

  for (let left = cursor.list('a list'); left > 0; left--) {
    values.push(readValue(cursor, depth))
  }

  return values
}

function readKeyed (cursor: Cursor, depth: number): { [key: string]: Value } {
  const values: { [key: string]: Value } = Object.create(null)

  readMap(cursor, 'a map', key => {
    values[key] = readValue(cursor, depth)
  }, true)

  return values
}

/** Whether eight bytes follow the initial one of the next item: they are its argument, or a float. */
function hasEightBytes (cursor: Cursor): boolean {
  return (cursor.bytes[cursor.position] & 31) === eightByteInfo
}

function bigInteger (cursor: Cursor): number | bigint {
  const isNegative = cursor.peek() === major.negative
  const argument = cursor.eightBytes()

  if (argument.getUint32(0) === 0) {
    cursor.fail('an integer is not in its shortest form')
  }

  const value = isNegative ? -1n - argument.getBigUint64(0) : argument.getBigUint64(0)

  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

// the only size of floats that dag-cbor has
function float (cursor: Cursor): number {
  const view = cursor.eightBytes()

  return (view.getUint16(0) & infinityExponent) === infinityExponent ? cursor.fail('NaN and infinities are not allowed') : view.getFloat64(0)
}

function simple (cursor: Cursor): boolean | null {
  if (cursor.bytes[cursor.position] === nullByte) {
    cursor.position++
    return null
  }

  return cursor.boolean()
}
