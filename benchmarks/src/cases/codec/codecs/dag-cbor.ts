import { decode, encode } from '@ipld/dag-cbor'
import type { Codec } from './codec.ts'

export const dagCbor: Codec = { encode, decode }
