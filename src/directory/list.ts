import { isLeaf } from '../codec/index.ts'
import { mapAhead } from '../concurrency.ts'
import { loadChild, loadRoot } from './load.ts'
import { branchIndex, firstAfter } from './node.ts'
import type { BoundedNode, StoredDirectory } from './load.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Branch, Entry, LeafNode } from '../codec/index.ts'

/**
 * Where a listing begins and ends.
 */
export interface ListRange {
  /** List the entries whose names come after this one, which need not exist */
  readonly after?: string
  /** List at most this many entries */
  readonly limit?: number
}

// siblings are fetched side by side, so that a directory of 3,000 entries takes two round trips to a remote store
const nodesAhead = 16

/**
 * Lists entries, or what is made of them, in the order of their names. Of the blocks that hold none of them, at most one per level is fetched.
 *
 * @throws {InvalidNodeError} where a block is not canonical, or contradicts what leads to it or what follows, or where the size
 * of the directory is not the claimed one
 */
export async function * listEntries <T = Entry> (blocks: BlockReader, directory: StoredDirectory, { after, limit = Number.POSITIVE_INFINITY }: ListRange = {}, options: ReadOptions = {}, map: (entry: Entry) => T = entry => entry as T): AsyncGenerator<T> {
  const range = { after, left: limit }

  if (range.left === 0) {
    return
  }

  const node = await loadRoot(blocks, directory, options)

  // most directories are one leaf, and a generator more takes as long as the rest of this
  for await (const entries of isLeaf(node) ? [leafEntries(node, after)] : listLeaves(blocks, { node, end: undefined }, range, options)) {
    for (const entry of entries) {
      yield map(entry)
      range.left--

      if (range.left === 0) {
        return
      }
    }
  }
}

function leafEntries ({ entries }: LeafNode, after: string | undefined): readonly Entry[] {
  return after === undefined ? entries : entries.slice(firstAfter(entries, after))
}

interface OpenRange {
  readonly after: string | undefined
  /** Entries still to be listed */
  left: number
}

async function * listLeaves (blocks: BlockReader, { node, end }: BoundedNode, range: OpenRange, options: ReadOptions): AsyncGenerator<readonly Entry[]> {
  if (isLeaf(node)) {
    yield leafEntries(node, range.after)
    return
  }

  for await (const child of mapAhead(neededBranches(node.branches, range), nodesAhead, async index => loadChild(blocks, node, index, end, options))) {
    yield * listLeaves(blocks, child, range, options)
  }
}

/** The indexes of the branches that hold what is to be listed. */
function * neededBranches (branches: readonly Branch[], { after, left }: OpenRange): Generator<number> {
  const start = after === undefined ? 0 : branchIndex(branches, after)
  // the branch that `after` falls into may hold nothing behind it
  let entries = after === undefined ? branches[start].count : 0
  yield start

  for (let i = start + 1; i < branches.length && entries < left; i++) {
    entries += branches[i].count
    yield i
  }
}
