import * as dagCbor from '@ipld/dag-cbor'
import type { Header, HeaderCodec } from './header.ts'
import type { CID } from 'multiformats/cid'

/**
 * Headers and links as maps in dag-cbor
 */
export const cborHeaders: HeaderCodec = {
  code: dagCbor.code,
  encodeHeader: header => dagCbor.encode(header),
  decodeHeader: bytes => dagCbor.decode<Header>(bytes),
  encodeLinks: links => dagCbor.encode(Object.fromEntries(links)),
  decodeLinks: bytes => new Map(Object.entries(dagCbor.decode<Record<string, CID>>(bytes)))
}
