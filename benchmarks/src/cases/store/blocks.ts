import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { sha256 } from 'multiformats/hashes/sha2'

export interface StoredBlock {
  readonly cid: CID
  readonly bytes: Uint8Array
}

const RAW = 0x55

/**
 * The block of a number: the same bytes on every machine, and other ones for
 * every number.
 */
export function blockOf (number: number, byteLength: number): StoredBlock {
  const bytes = Buffer.alloc(byteLength, number % 251)

  bytes.writeUInt32LE(number)

  return { cid: CID.createV1(RAW, Digest.create(sha256.code, createHash('sha256').update(bytes).digest())), bytes }
}

/**
 * Numbers below a bound that are spread at random, the same for the same seed.
 */
export function randomNumbers (count: number, bound: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => createHash('sha256').update(`${seed}/${i}`).digest().readUIntBE(0, 6) % bound)
}
