import * as dagPb from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import type { HeaderCodec, Links } from './header.ts'

/**
 * Headers and links as nodes of dag-pb that have links alone. There is no place
 * for metadata in them.
 */
export const pbHeaders: HeaderCodec = {
  code: dagPb.code,

  encodeHeader ({ metadata, userland, skeleton, previous }) {
    const cid = CID.asCID(metadata)

    if (cid == null) {
      throw new Error('dag-pb has links and bytes, and no place for metadata')
    }

    return encode(Object.entries({ metadata: cid, userland, skeleton, previous }))
  },

  decodeHeader (bytes) {
    const links = decode(bytes)
    const [metadata, userland] = [links.get('metadata'), links.get('userland')]

    if (metadata == null || userland == null) {
      throw new Error('a header lacks its metadata or userland')
    }

    return { metadata, userland, skeleton: links.get('skeleton'), previous: links.get('previous') }
  },

  encodeLinks: links => encode([...links]),
  decodeLinks: decode
}

function encode (links: Array<[string, CID | undefined]>): Uint8Array {
  const present = links.flatMap(([Name, Hash]) => Hash == null ? [] : [{ Name, Hash }])

  // prepared ones are in the order of their names
  return dagPb.encode(dagPb.prepare({ Links: present }))
}

function decode (bytes: Uint8Array): Links {
  return new Map(dagPb.decode(bytes).Links.map(({ Name = '', Hash }) => [Name, Hash]))
}
