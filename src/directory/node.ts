import { isLeaf } from '../codec/index.ts'
import { compareNames } from '../path.ts'
import { fileBytes } from './item.ts'
import type { Branch, DirectoryNode, Entry, FoundInDirectory } from '../codec/index.ts'

/** What a block of a directory holds, which is held against what the branch that links to it says. */
export type Held = Pick<FoundInDirectory, 'first' | 'count' | 'size'>

/**
 * Looks a name up in a decoded node, as `findInDirectory` does in an encoded one.
 */
export function findInNode (node: DirectoryNode, held: Held, name: string): FoundInDirectory {
  if (!isLeaf(node)) {
    const { level, branches } = node

    return { level, ...held, branch: branches[branchIndex(branches, name)], branches: branches.length }
  }

  const entry = node.entries[firstAfter(node.entries, name) - 1]

  return { level: 0, ...held, entry: entry?.name === name ? entry : undefined }
}

export function heldBy (node: DirectoryNode): Held {
  return { first: isLeaf(node) ? node.entries[0]?.name : node.branches[0].first, ...directorySums(node) }
}

/** The name of the last item of a node that is not empty, as none below a branch is. */
export function lastName (node: DirectoryNode): string {
  return isLeaf(node) ? node.entries[node.entries.length - 1].name : node.branches[node.branches.length - 1].first
}

/**
 * What the claims of a node's items add up to.
 */
export function directorySums (node: DirectoryNode): { count: number, size: number } {
  if (isLeaf(node)) {
    return {
      count: node.entries.length,
      size: node.entries.reduce((sum, entry) => sum + fileBytes(entry), 0)
    }
  }

  return {
    count: node.branches.reduce((sum, { count }) => sum + count, 0),
    size: node.branches.reduce((sum, { size }) => sum + size, 0)
  }
}

/**
 * The index of the last branch that begins at or before a name, or 0 where all begin after it.
 */
export function branchIndex (branches: readonly Branch[], name: string): number {
  let low = 0
  let high = branches.length - 1

  while (low < high) {
    const middle = Math.ceil((low + high) / 2)

    if (compareNames(branches[middle].first, name) <= 0) {
      low = middle
    } else {
      high = middle - 1
    }
  }

  return low
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
