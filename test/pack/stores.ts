import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { concat } from '../../src/bytes.ts'
import { sha256 } from '../../src/hash.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import type { Blockstore } from 'interface-blockstore'

/** A directory that is removed with its content after each test */
export class Directories {
  readonly #made: string[] = []

  async make (): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'dagfs-pack-'))
    this.#made.push(directory)

    return directory
  }

  async removeAll (): Promise<void> {
    for (const directory of this.#made.splice(0)) {
      await rm(directory, { recursive: true })
    }
  }
}

export interface TestBlock {
  readonly cid: CID
  readonly bytes: Uint8Array
}

export async function block (bytes: Uint8Array, code = 0x55): Promise<TestBlock> {
  return { cid: CID.createV1(code, Digest.create(0x12, await sha256(bytes))), bytes }
}

/** Bytes that are the same for the same numbers */
export function bytesOf (seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed * 2_654_435_761 + 1 >>> 0

  for (let i = 0; i < length; i++) {
    state = state * 1_664_525 + 1_013_904_223 >>> 0
    bytes[i] = state >>> 24
  }

  return bytes
}

export async function blocks (count: number, length: number, seed = 0): Promise<TestBlock[]> {
  return Promise.all(Array.from({ length: count }, async (_, i) => block(bytesOf(seed + i, length))))
}

/** One of many blocks, without a promise: it begins with its number. */
export function numberedBlock (number: number, length = 4): TestBlock {
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, number)

  return { cid: CID.createV1(0x55, Digest.create(0x12, hash('sha256', bytes, 'buffer'))), bytes }
}

export async function readBlock (store: Pick<Blockstore, 'get'>, cid: CID): Promise<Uint8Array> {
  return concat(await all(store.get(cid)))
}

/** Puts blocks one after another. */
export async function putAll (store: Pick<Blockstore, 'put'>, put: Iterable<TestBlock>): Promise<void> {
  for (const { cid, bytes } of put) {
    await store.put(cid, bytes)
  }
}

/** Opens a store for as long as some work takes. */
export async function withStore <T> (directory: string, options: ConstructorParameters<typeof PackBlockstore>[1], work: (store: PackBlockstore) => Promise<T>): Promise<T> {
  const store = new PackBlockstore(directory, options)
  await store.open()

  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
