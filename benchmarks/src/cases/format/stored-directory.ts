import { MemoryBlockstore } from 'blockstore-core'
import { blockReader, buildDirectory, decodeDirectory, isLeaf } from './internals.ts'
import type { BlockReader, DirectoryNode, DirectoryRoot, FileEntry } from './internals.ts'
import type { CID } from 'multiformats/cid'

export interface StoredDirectory {
  readonly root: DirectoryRoot
  readonly store: MemoryBlockstore
  readonly reader: BlockReader
}

/**
 * Builds a directory into memory.
 */
export async function storeDirectory (entries: Iterable<FileEntry>): Promise<StoredDirectory> {
  const store = new MemoryBlockstore()
  const builder = buildDirectory(entries)

  for (let step = await builder.next(); ; step = await builder.next()) {
    if (step.done === true) {
      return { root: step.value, store, reader: blockReader(store, { trusted: true }) }
    }

    await store.put(step.value.cid, step.value.bytes)
  }
}

/**
 * Builds a directory and lets go of its blocks, as a store on disk would.
 */
export async function buildOnly (entries: Iterable<FileEntry>): Promise<void> {
  for await (const { bytes } of buildDirectory(entries)) {
    if (bytes.byteLength > 2 ** 20) {
      throw new Error(`a block has ${bytes.byteLength} bytes`)
    }
  }
}

export interface Levels {
  /**
   * Blocks of each level, the root's first
   */
  readonly blocks: readonly number[]
  readonly leafBytes: readonly number[]
}

/**
 * Counts the blocks of each level, from the root down.
 */
export async function levelsOf ({ root, reader }: StoredDirectory): Promise<Levels> {
  const blocks = [1]
  let links: readonly CID[] = [root.cid]
  let nodes: DirectoryNode[] = [decodeDirectory(await reader.get(root.cid))]

  while (nodes[0].level > 0) {
    const { level } = nodes[0]

    links = nodes.flatMap(node => isLeaf(node) ? [] : node.branches.map(({ link }) => link))
    blocks.push(links.length)

    if (level === 1) {
      break
    }

    nodes = await Promise.all(links.map(async link => decodeDirectory(await reader.get(link))))
  }

  const leafBytes = []

  for (const link of links) {
    leafBytes.push((await reader.get(link)).bytes.byteLength)
  }

  return { blocks, leafBytes }
}
