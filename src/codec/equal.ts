import { areEqualBytes } from '../bytes.ts'
import { encode } from './encode.ts'
import { encodeEntry } from './entry.ts'
import type { Entry, Meta } from './schema.ts'

/**
 * Whether two entries say the same: what is equal has one encoding.
 */
export function areEqualEntries (a: Entry, b: Entry): boolean {
  return a === b || areEqualBytes(encodeEntry(a), encodeEntry(b))
}

/**
 * Whether two metas say the same, in whatever order their keys were given.
 */
export function areEqualMetas (a: Meta | undefined, b: Meta | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && areEqualBytes(encode(a), encode(b)))
}
