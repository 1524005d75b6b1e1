import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { Digest } from 'multiformats/hashes/digest'
import { SeededRandom, keystream } from '../../corpora/keystream.ts'
import { encodeEntry } from './internals.ts'
import type { FileEntry } from './internals.ts'

const RAW = 0x55
const SHA2_256 = 0x12

/**
 * Links repeat after this many entries, since what a link says moves no
 * boundary; making a million of them would be most of the time
 */
const LINKS = 1_024

/**
 * What `entry` of `linkedEntries` takes in a leaf
 */
export const LINKED_ENTRY_BYTES = 91

export const LARGEST_INLINED_BYTES = 4_096

/**
 * Makes an entry with a name; the number decides what is in it
 */
export type MakeEntry = (name: string, number: number) => FileEntry

/**
 * Entries of 91 encoded bytes: a name of 17 bytes, a link to a raw block, mode
 * and mtime.
 */
export function linkedEntries (): MakeEntry {
  const links = Array.from({ length: LINKS }, (_, index) => {
    const digest = createHash('sha256').update(`linked/${index}`).digest()

    return CID.createV1(RAW, new Digest(SHA2_256, digest.byteLength, digest, Uint8Array.of(SHA2_256, digest.byteLength, ...digest)))
  })
  const make: MakeEntry = (name, number) => ({
    name,
    kind: 'file',
    content: links[number % LINKS],
    size: 4_096 + number % 60_000,
    attributes: { mode: 0o644, mtime: [1_700_000_000 + number % 10_000_000, 100_000_000 + number] }
  })
  const { byteLength } = encodeEntry(make(numberedName(0), 0))

  if (byteLength !== LINKED_ENTRY_BYTES) {
    throw new Error(`an entry was to take ${LINKED_ENTRY_BYTES} bytes and takes ${byteLength}`)
  }

  return make
}

/**
 * Entries that hold their content, of floor(4,097 u^3) bytes where u is drawn
 * evenly from 0 to 1: a mean of 1 KiB, small files in the majority.
 */
export function inlinedEntries (seed: string): MakeEntry {
  const random = new SeededRandom(`${seed}/sizes`)
  // contents are cut out of one piece: what they say moves no boundary either
  const [pool] = keystream(`${seed}/contents`, 2 ** 20)

  return (name, number) => {
    const size = Math.floor((LARGEST_INLINED_BYTES + 1) * (random.below(2 ** 30) / 2 ** 30) ** 3)
    const start = (number * 977) % (pool.byteLength - LARGEST_INLINED_BYTES)

    return { name, kind: 'file', content: pool.subarray(start, start + size), size, attributes: { mode: 0o644 } }
  }
}

/**
 * Names of 17 bytes, in the order of their numbers up to 99,999,999
 */
export function numberedName (number: number): string {
  return `file-${String(number).padStart(8, '0')}.txt`
}

/**
 * Yields entries with even numbers in their names, which leaves the odd ones
 * for inserts.
 */
export function * numberedEntries (count: number, make: MakeEntry): Generator<FileEntry> {
  for (let index = 0; index < count; index++) {
    yield make(numberedName(2 * index), index)
  }
}

/**
 * Draws names that lie between those of `numberedEntries`.
 */
export function insertedNames (count: number, inserts: number, seed: string): string[] {
  const random = new SeededRandom(`${seed}/inserts`)

  return Array.from({ length: inserts }, () => numberedName(2 * random.below(count) + 1))
}
