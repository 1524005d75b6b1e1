import { decode, encode, toBytes } from '@atcute/cbor'
import type { Codec } from './codec.ts'

export const atcute: Codec = { encode, decode, prepare: wrapBytes }

/**
 * It takes bytes in a wrapper of its own, and gives them so.
 */
function wrapBytes (value: unknown): unknown {
  if (value instanceof Uint8Array) {
    return toBytes(value)
  }

  if (Array.isArray(value)) {
    return value.map(wrapBytes)
  }

  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrapBytes(item)]))
    : value
}
