import { blockWriter } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, encodeParts, encodeSnapshot, rawCode } from '../../src/codec/index.ts'
import type { Attributes, Branch, DirectoryEntry, Entry, FileEntry, Part, Snapshot } from '../../src/codec/index.ts'
import type { BlockStore } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * Makes nodes one by one, valid ones that no writer of ours would make among them.
 */
export class HandMade {
  readonly store: BlockStore

  constructor (store: BlockStore) {
    this.store = store
  }

  async raw (bytes: Uint8Array): Promise<CID> {
    return this.#put(rawCode, bytes)
  }

  async node (bytes: Uint8Array): Promise<CID> {
    return this.#put(dagCborCode, bytes)
  }

  async index (parts: readonly Part[]): Promise<Part> {
    return { link: await this.node(encodeParts(parts)), length: parts.reduce((sum, { length }) => sum + length, 0) }
  }

  /** A leaf, and what a branch says of it. */
  async leaf (entries: readonly Entry[]): Promise<Branch> {
    const size = entries.reduce((sum, entry) => sum + (entry.kind === 'symlink' ? 0 : entry.size), 0)

    return { first: entries[0]?.name ?? '', link: await this.node(encodeLeaf(entries.map(encodeEntry))), count: entries.length, size }
  }

  /** A branch node, and what a branch says of it. */
  async branches (level: number, branches: readonly Branch[]): Promise<Branch> {
    const [count, size] = [branches.reduce((sum, branch) => sum + branch.count, 0), branches.reduce((sum, branch) => sum + branch.size, 0)]

    return { first: branches[0].first, link: await this.node(encodeBranches(level, branches.map(encodeBranch))), count, size }
  }

  async snapshot (snapshot: Snapshot): Promise<CID> {
    return this.node(encodeSnapshot(snapshot))
  }

  async #put (code: typeof rawCode | typeof dagCborCode, bytes: Uint8Array): Promise<CID> {
    const block = await createBlock(code, bytes)
    await blockWriter(this.store).put(block)

    return block.cid
  }
}

export function fileOf (name: string, content: CID | Uint8Array, size = content instanceof Uint8Array ? content.byteLength : 0, attributes?: Attributes): FileEntry {
  return { name, kind: 'file', content, size, ...(attributes === undefined ? {} : { attributes }) }
}

export function directoryOf (name: string, { link, size }: Pick<Branch, 'link' | 'size'>, claimed = size): DirectoryEntry {
  return { name, kind: 'directory', content: link, size: claimed }
}
