import { encodeOptions } from '@ipld/dag-cbor'
import { encode as encodeCbor } from 'cborg'

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

function concat (parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let offset = 0

  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.byteLength
  }

  return bytes
}
