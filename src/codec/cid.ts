import { CID } from 'multiformats/cid'
import { Digest } from 'multiformats/hashes/digest'
import { BytePages, areEqualBytes } from '../bytes.ts'
import { sha256 } from '../hash.ts'
import type { Block } from './schema.ts'

export const rawCode = 0x55
export const dagCborCode = 0x71
export const cidBytes = 36

const sha256Code = 0x12
const digestBytes = 32
const pages = new BytePages()

/**
 * Whether the format may link to this CID: version 1, sha2-256, raw or dag-cbor.
 */
export function isSupportedCid (cid: CID): boolean {
  return cid.version === 1 && (cid.code === rawCode || cid.code === dagCborCode) &&
    cid.multihash.code === sha256Code && cid.multihash.size === digestBytes
}

/**
 * Reads the 36 bytes of a CID that the format may link to, or returns undefined.
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
 * Reads the bytes of any CID, or returns undefined.
 */
export function readAnyCid (bytes: Uint8Array): CID | undefined {
  try {
    const cid = CID.decode(bytes)

    // a version 0 that is written out, or more digest than is claimed, is decoded to another CID
    return areEqualBytes(cid.bytes, bytes) ? cid : undefined
  } catch {
    return undefined
  }
}

/**
 * A key of a map for a CID of the format. Its text form would have to be encoded first.
 */
export function cidKey (cid: CID): string {
  return String.fromCharCode(cid.code) + digestKey(cid)
}

/**
 * A key of a map for what a CID says of the bytes alone: some stores know blocks by their hash and lose the codec.
 */
export function digestKey ({ multihash: { digest } }: CID): string {
  return digest.byteLength === digestBytes ? sha256Key(digest) : String.fromCharCode(...digest)
}

/** Two bytes to a character, and all spelled out: it is made for every block, and a call with a spread takes six times as long. */
function sha256Key (d: Uint8Array): string {
  return String.fromCharCode(
    d[0] | d[1] << 8, d[2] | d[3] << 8, d[4] | d[5] << 8, d[6] | d[7] << 8, d[8] | d[9] << 8, d[10] | d[11] << 8, d[12] | d[13] << 8, d[14] | d[15] << 8,
    d[16] | d[17] << 8, d[18] | d[19] << 8, d[20] | d[21] << 8, d[22] | d[23] << 8, d[24] | d[25] << 8, d[26] | d[27] << 8, d[28] | d[29] << 8, d[30] | d[31] << 8
  )
}

/**
 * Names bytes by their hash.
 */
export async function createBlock (code: typeof rawCode | typeof dagCborCode, bytes: Uint8Array): Promise<Block> {
  return { cid: cidOf(code, await sha256(bytes)), bytes }
}

/**
 * The CID of a block whose sha2-256 is known.
 */
export function cidOf (code: typeof rawCode | typeof dagCborCode, digest: Uint8Array): CID {
  const cid = pages.take(cidBytes)
  cid.set([1, code, sha256Code, digestBytes])
  cid.set(digest, 4)

  return readCid(cid) as CID
}

/**
 * Whether bytes are those that a CID names. A CID that the format cannot link to names none: its digest is another hash's.
 */
export async function isBlockIntact (cid: CID, bytes: Uint8Array): Promise<boolean> {
  if (!isSupportedCid(cid)) {
    return false
  }

  return areEqualBytes(await sha256(bytes), cid.multihash.digest)
}
