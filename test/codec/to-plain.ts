import { toHex } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'

/**
 * A value with bytes and CIDs as text and maps as plain objects, so that chai compares what is in them: decoded maps have no
 * prototype, and bytes are views of their block.
 */
export function toPlain (value: unknown): unknown {
  if (value instanceof Uint8Array) {
    return { bytes: toHex(value) }
  }

  if (value instanceof CID) {
    return { cid: value.toString() }
  }

  if (Array.isArray(value)) {
    return value.map(toPlain)
  }

  if (typeof value !== 'object' || value === null) {
    return value
  }

  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [key, toPlain(item)]))
}
