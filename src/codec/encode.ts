import { encodeOptions } from '@ipld/dag-cbor'
import { encode as encodeCbor, encodeInto } from 'cborg'

/**
 * Encodes a value as canonical dag-cbor.
 */
export function encode (value: unknown): Uint8Array {
  return encodeCbor(value, encodeOptions)
}

const pageBytes = 65_536
let page = new Uint8Array(0)

/**
 * As `encode`, for the many small values that do not live long: the bytes are a part of a page that they share with others,
 * since an allocation for each takes half as long again.
 */
export function encodeSmall (value: unknown): Uint8Array {
  try {
    const { written } = encodeInto(value, page, encodeOptions)
    const bytes = page.subarray(0, written)
    page = page.subarray(written)

    return bytes
  } catch {
    // the page is full, or it is the value that is at fault
    page = new Uint8Array(pageBytes)

    return encode(value)
  }
}

/**
 * The head of a list of so many items.
 */
export function encodeListHead (count: number): Uint8Array {
  // a head has the same form for every major type, only its top three bits differ
  const head = encode(count)
  head[0] |= 0x80

  return head
}

/**
 * The head of a map of one key, which its value follows.
 */
export function encodeKeyHead (key: string): Uint8Array {
  // the value 0 is one byte
  return encode({ [key]: 0 }).subarray(0, -1)
}

/**
 * An object without the keys whose value is undefined, which the format cannot say.
 */
export function definedOnly (object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
