import { decode, encode } from 'dag-cbor-2'
import type { Codec } from './codec.ts'

/**
 * The last `@ipld/dag-cbor` that was made on borc
 */
export const dagCbor2: Codec = { encode, decode }
