import { CID } from 'multiformats/cid'
import { Digest } from 'multiformats/hashes/digest'

/**
 * The sections of a CAR: `length, CID, bytes`, where the length is a varint and counts CID and bytes.
 * https://ipld.io/specs/transport/car/carv1/
 */
export interface Section {
  /** Where the section begins in its segment */
  readonly offset: number
  /** The CID without its version, which is always 1: codec and multihash. It is what the index knows a block by. */
  readonly key: Uint8Array
  readonly dataOffset: number
  readonly dataLength: number
}

/** No block is larger; bitswap refuses more. */
export const maxBlockBytes = 2 ** 21

/** The longest head: length, version, codec, and the multihash. */
export const maxHeadBytes = 4 + 1 + 9 + 34

const version = 1
const dagPbCode = 0x70
const sha256Code = 0x12
export const digestBytes = 32
export const multihashBytes = 2 + digestBytes

/**
 * Whether the store can hold a block of this CID: its hash is sha2-256, so that reads can be checked. Some decoders let numbers
 * pass that are longer than they need be; nobody could read such a section.
 */
export function isStorable ({ version: cidVersion, code, bytes, multihash }: CID): boolean {
  const shortestBytes = (cidVersion === 0 ? 0 : 1 + varintBytes(code)) + multihashBytes

  return multihash.code === sha256Code && multihash.size === digestBytes && bytes.byteLength === shortestBytes
}

/** What the index knows a block by. A CID of version 0 is the same block as its version 1. */
export function keyOf (cid: CID): Uint8Array {
  return cid.version === 1 ? cid.bytes.subarray(1) : keyWith([cid.code], cid.multihash.bytes)
}

function keyWith (codec: readonly number[], multihash: Uint8Array): Uint8Array {
  const key = new Uint8Array(codec.length + multihash.byteLength)
  key.set(codec)
  key.set(multihash, codec.length)

  return key
}

export function cidOfKey (key: Uint8Array): CID {
  const bytes = new Uint8Array(1 + key.byteLength)
  bytes[0] = version
  bytes.set(key, 1)
  const codec = readVarint(bytes, 1, bytes.byteLength)
  const multihash = bytes.subarray(bytes.byteLength - multihashBytes)

  return new CID(version, codec?.value ?? 0, new Digest(sha256Code, digestBytes, multihash.subarray(2), multihash), bytes)
}

export function digestOf (key: Uint8Array): Uint8Array {
  return key.subarray(key.byteLength - digestBytes)
}

export function headBytes (key: Uint8Array, dataBytes: number): number {
  return varintBytes(1 + key.byteLength + dataBytes) + 1 + key.byteLength
}

/** Writes a section's head into a buffer that has room for it, and returns where it ends. */
export function writeHead (target: Uint8Array, at: number, key: Uint8Array, dataBytes: number): number {
  let length = 1 + key.byteLength + dataBytes

  while (length >= 0x80) {
    target[at++] = length & 0x7f | 0x80
    length >>>= 7
  }

  target[at++] = length
  target[at++] = version
  target.set(key, at)

  return at + key.byteLength
}

/**
 * Reads the head of the section that begins at an index of the bytes, which begin at `base` in their segment. Returns
 * undefined where there is none, or where the bytes end within it.
 */
export function readHead (bytes: Uint8Array, at: number, base: number): Section | undefined {
  const end = Math.min(bytes.byteLength, at + maxHeadBytes)
  const length = readVarint(bytes, at, end)

  if (length === undefined || bytes[length.end] !== version) {
    return
  }

  const keyStart = length.end + 1
  const codec = readVarint(bytes, keyStart, end)

  if (codec === undefined || bytes[codec.end] !== sha256Code || bytes[codec.end + 1] !== digestBytes) {
    return
  }

  const dataStart = codec.end + multihashBytes
  const dataLength = length.value - (dataStart - length.end)

  if (dataStart > end || dataLength < 0 || dataLength > maxBlockBytes) {
    return
  }

  return { offset: base + at, key: bytes.subarray(keyStart, dataStart), dataOffset: base + dataStart, dataLength }
}

/**
 * Reads the head of a section whose CID has version 0: a multihash alone, of a dag-pb block. No segment has any, other
 * CARs may. Returns undefined as `readHead` does.
 */
export function readHeadOfVersion0 (bytes: Uint8Array, at: number, base: number): Section | undefined {
  const length = readVarint(bytes, at, Math.min(bytes.byteLength, at + maxHeadBytes))

  if (length === undefined || bytes[length.end] !== sha256Code || bytes[length.end + 1] !== digestBytes) {
    return
  }

  const dataStart = length.end + multihashBytes
  const dataLength = length.value - multihashBytes

  if (dataStart > bytes.byteLength || dataLength < 0 || dataLength > maxBlockBytes) {
    return
  }

  return { offset: base + at, key: keyWith([dagPbCode], bytes.subarray(length.end, dataStart)), dataOffset: base + dataStart, dataLength }
}

export function endOf ({ dataOffset, dataLength }: Section): number {
  return dataOffset + dataLength
}

function varintBytes (value: number): number {
  let length = 1

  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    length++
  }

  return length
}

/** Only the shortest form of a number is one, as the multiformats demand. */
export function readVarint (bytes: Uint8Array, at: number, end: number): { value: number, end: number } | undefined {
  let value = 0

  for (let i = at, scale = 1; i < end && scale <= 2 ** 49; i++, scale *= 0x80) {
    value += (bytes[i] & 0x7f) * scale

    if (bytes[i] < 0x80) {
      return (bytes[i] === 0 && i > at) || !Number.isSafeInteger(value) ? undefined : { value, end: i + 1 }
    }
  }

  return undefined
}
