import { blockReader, blockWriter } from '../../src/blockstore/index.ts'
import { buildDirectory, editDirectory } from '../../src/directory/index.ts'
import { compareNames } from '../../src/path.ts'
import { CountingStore } from '../stores.ts'
import type { BlockStore } from '../../src/blockstore/index.ts'
import type { Block, Entry, FileEntry } from '../../src/codec/index.ts'
import type { DirectoryRoot } from '../../src/directory/index.ts'

/** A file held in its entry. */
export function inlined (name: string, bytes: number, fill = 1): FileEntry {
  return { name, kind: 'file', content: new Uint8Array(bytes).fill(fill), size: bytes }
}

/** Entries with names of 17 bytes, in order. */
export function numbered (count: number, contentBytes: (i: number) => number = () => 0): FileEntry[] {
  return Array.from({ length: count }, (_, i) => inlined(`file-${String(i).padStart(8, '0')}.txt`, contentBytes(i)))
}

export function sorted (entries: Iterable<Entry>): Entry[] {
  return [...entries].sort((a, b) => compareNames(a.name, b.name))
}

/**
 * Builds and edits directories on a store.
 */
export class Directories {
  readonly store: BlockStore

  constructor (store: BlockStore = new CountingStore().inner) {
    this.store = store
  }

  get reader (): ReturnType<typeof blockReader> {
    return blockReader(this.store)
  }

  async build (entries: Iterable<Entry>): Promise<DirectoryRoot & { blocks: Block[] }> {
    const builder = buildDirectory(entries)
    const blocks: Block[] = []

    for (;;) {
      const { done, value } = await builder.next()

      if (done === true) {
        return { ...value, blocks }
      }

      blocks.push(value)
      await blockWriter(this.store).put(value)
    }
  }

  async edit (root: DirectoryRoot, changes: ReadonlyMap<string, Entry | null>): Promise<DirectoryRoot & { blocks: readonly Block[] }> {
    const edited = await editDirectory(this.reader, root, changes)

    for (const block of edited.blocks) {
      await blockWriter(this.store).put(block)
    }

    return { ...edited.root, blocks: edited.blocks }
  }
}
