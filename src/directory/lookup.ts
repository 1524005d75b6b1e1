import { isLeaf } from '../codec/index.ts'
import { compareNames } from '../path.ts'
import { branchIndex, loadChild, loadRoot } from './load.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Entry } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Finds the entry with a name, reading one block per level.
 */
export async function findEntry (blocks: BlockReader, cid: CID, name: string, options: AbortOptions = {}): Promise<Entry | undefined> {
  let node = await loadRoot(blocks, cid, options)

  while (!isLeaf(node)) {
    node = await loadChild(blocks, node, node.branches[branchIndex(node.branches, name)], options)
  }

  const { entries } = node
  const entry = entries[firstAfter(entries, name) - 1]

  return entry?.name === name ? entry : undefined
}

/**
 * The index of the first entry whose name comes after a name.
 */
export function firstAfter (entries: readonly Entry[], name: string): number {
  let low = 0
  let high = entries.length

  while (low < high) {
    const middle = (low + high) >>> 1

    if (compareNames(entries[middle].name, name) <= 0) {
      low = middle + 1
    } else {
      high = middle
    }
  }

  return low
}
