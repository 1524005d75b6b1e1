import { encodeOptions } from '@ipld/dag-cbor'
import { encode as encodeCbor } from 'cborg'
import { concat } from '../bytes.ts'

/**
 * Encodes a value as canonical dag-cbor.
 */
export function encode (value: unknown): Uint8Array {
  return encodeCbor(value, encodeOptions)
}

/**
 * Encodes a list of items that are encoded already.
 */
export function encodeList (items: readonly Uint8Array[]): Uint8Array {
  // a head has the same form for every major type, only its top three bits differ
  const head = encode(items.length)
  head[0] |= 0x80

  return concat([head, ...items])
}

/**
 * Encodes a map of one key whose value is encoded already.
 */
export function encodeKeyed (key: string, value: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(0xa1), encode(key), value])
}

/**
 * An object without the keys whose value is undefined, which the format cannot say.
 */
export function definedOnly (object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
