import { CID } from 'multiformats/cid'
import { Digest } from 'multiformats/hashes/digest'
import { sha256 } from '../hash.ts'
import type { Block } from './schema.ts'

export const rawCode = 0x55
export const dagCborCode = 0x71
export const cidBytes = 36

const sha256Code = 0x12
const digestBytes = 32

/**
 * Whether the format may link to this CID: version 1, sha2-256, raw or dag-cbor.
 */
export function isSupportedCid (cid: CID): boolean {
  return cid.version === 1 && (cid.code === rawCode || cid.code === dagCborCode) &&
    cid.multihash.code === sha256Code && cid.multihash.size === digestBytes
}

/**
 * Reads the 36 bytes of a CID that the format may link to, or answers undefined.
 */
export function readCid (bytes: Uint8Array): CID | undefined {
  const code = bytes[1]

  if (bytes.byteLength !== cidBytes || bytes[0] !== 1 || (code !== rawCode && code !== dagCborCode) ||
    bytes[2] !== sha256Code || bytes[3] !== digestBytes) {
    return
  }

  return new CID(1, code, new Digest(sha256Code, digestBytes, bytes.subarray(4), bytes.subarray(2)), bytes as Uint8Array<ArrayBuffer>)
}

/**
 * A key of a map for a CID of the format. Its text form would have to be encoded first.
 */
export function cidKey ({ code, multihash }: CID): string {
  return String.fromCharCode(code, ...multihash.digest)
}

/**
 * Names bytes by their hash.
 */
export async function createBlock (code: typeof rawCode | typeof dagCborCode, bytes: Uint8Array): Promise<Block> {
  const digest = await sha256(bytes)
  const cid = new Uint8Array(cidBytes)
  cid.set([1, code, sha256Code, digestBytes])
  cid.set(digest, 4)

  return { cid: readCid(cid) as CID, bytes }
}

/**
 * Whether bytes are those that a CID names. A CID that the format cannot link to names none: its digest is another hash's.
 */
export async function isBlockIntact (cid: CID, bytes: Uint8Array): Promise<boolean> {
  if (!isSupportedCid(cid)) {
    return false
  }

  const digest = await sha256(bytes)
  const expected = cid.multihash.digest

  return digest.every((byte, i) => byte === expected[i])
}
