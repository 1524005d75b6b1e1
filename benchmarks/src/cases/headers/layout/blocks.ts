import { hash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { blockReader, blockWriter, dagfs1, readFile, writeFile } from './internals.ts'
import type { DagFsComponents } from 'dagfs'

const SHA2_256 = 0x12

export interface StoredContent {
  readonly cid: CID
  readonly size: number
}

/**
 * Reads and writes blocks of any codec as dagfs does: hashed by `node:crypto`, and
 * what is read held against its CID. Files become the very blocks that dagfs
 * makes of them.
 */
export class Blocks {
  readonly #store: DagFsComponents['blockstore']

  constructor (store: DagFsComponents['blockstore']) {
    this.#store = store
  }

  async put (code: number, bytes: Uint8Array): Promise<CID> {
    const cid = CID.createV1(code, Digest.create(SHA2_256, hash('sha256', bytes, 'buffer')))

    await this.#store.put(cid, bytes)

    return cid
  }

  async get (cid: CID): Promise<Uint8Array> {
    const parts = []

    for await (const part of this.#store.get(cid)) {
      parts.push(part)
    }

    const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts)

    if (Buffer.compare(hash('sha256', bytes, 'buffer'), cid.multihash.digest) !== 0) {
      throw new Error(`the store returned other bytes than ${cid} names`)
    }

    return bytes
  }

  async putContent (bytes: Uint8Array): Promise<StoredContent> {
    const writer = blockWriter(this.#store)
    const { content, size } = await writeFile(async block => writer.put(block), bytes, dagfs1)
    const cid = CID.asCID(content)

    if (cid == null) {
      throw new Error(`a file of ${size} bytes is held in its directory, and only larger ones are compared`)
    }

    return { cid, size }
  }

  async getContent ({ cid, size }: StoredContent): Promise<Uint8Array> {
    const pieces = []

    for await (const piece of readFile(blockReader(this.#store), { content: cid, size }, 0, size, {})) {
      pieces.push(piece)
    }

    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
  }
}
