import * as dagCbor from '@ipld/dag-cbor'
import fc from 'fast-check'
import { toHex } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import { areEqualBytes } from '../../src/bytes.ts'
import { dagCborCode, rawCode, readProperty } from '../../src/codec/index.ts'
import { anyCid, refusal } from './refusal.ts'

export type Path = ReadonlyArray<string | number>

const cid = anyCid(dagCborCode)
const refusals = ['InvalidNodeError', 'LimitExceededError']

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'k', '__proto__', '1', '\u00e9', '\u{1f600}'), maxLength: 3 })
/** Any value that dag-cbor has, and its reference implementation as well */
export const { value: anyValue } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.constantFrom(null, true, false, 0.5, -1e300, 2 ** 60, 2n ** 64n - 1n, -(2n ** 64n), 2n ** 53n, -(2n ** 53n), anyCid(rawCode), anyCid(dagCborCode)),
      fc.maxSafeInteger(),
      fc.string(),
      fc.string({ minLength: 20, maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 })
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 })
  )
}))

/** All paths in a value, that of itself first. */
export function pathsOf (value: unknown): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || CID.asCID(value) != null) {
    return [[]]
  }

  const entries: Array<[string | number, unknown]> = Array.isArray(value) ? value.map((item, i) => [i, item]) : Object.entries(value)

  return [[], ...entries.flatMap(([segment, item]) => pathsOf(item).map(path => [segment, ...path]))]
}

export function valueAt (value: unknown, path: Path): unknown {
  return path.reduce((at, segment) => (at as Record<string | number, unknown>)[segment], value)
}

/** Two values are the same where this is: maps without a prototype and those with one are the same maps. */
export function encoded (value: unknown): string {
  return toHex(dagCbor.encode(value))
}

function tryDecode (bytes: Uint8Array): { value: unknown } | undefined {
  try {
    const value = dagCbor.decode(bytes)

    return areEqualBytes(dagCbor.encode(value), bytes) ? { value } : undefined
  } catch {
    return undefined
  }
}

/** Whether the map or list that a block begins with tells in its shortest form how many items it has. */
function isCountCanonical (bytes: Uint8Array): boolean {
  const info = bytes[0] & 31
  const least = [24, 2 ** 8, 2 ** 16, 2 ** 32][info - 24]
  const count = [...bytes.subarray(1, 1 + 2 ** (info - 24))].reduce((sum, byte) => sum * 256 + byte, 0)

  return info < 24 || (info < 28 && count >= least)
}

/** What is wrong with how a property of bytes that may be anything is treated, or undefined. */
export function propertyFault (bytes: Uint8Array, path: Path): string | undefined {
  const error = refusal(bytes => readProperty({ cid, bytes }, path), bytes)
  const decoded = tryDecode(bytes)

  if (error !== undefined) {
    return decoded === undefined && refusals.includes(error) ? undefined : `it was refused with ${error}`
  }

  const value = readProperty({ cid, bytes }, path)

  if (value === undefined) {
    return decoded !== undefined && pathsOf(decoded.value).some(known => JSON.stringify(known) === JSON.stringify(path)) ? 'it was not found' : undefined
  }

  if (path.length > 0 && !isCountCanonical(bytes)) {
    return 'its map or list has no canonical count'
  }

  if (decoded !== undefined) {
    return encoded(valueAt(decoded.value, path)) === encoded(value) ? undefined : 'another value was found'
  }

  // @ipld/dag-cbor writes integral floats as integers
  return bytes.includes(0xfb) || toHex(bytes).includes(encoded(value)) ? undefined : 'a value was found that does not stand there'
}
