import { isLeaf } from '../codec/index.ts'
import { InvalidNodeError } from '../errors.ts'
import { compareNames } from '../path.ts'
import { fileBytes } from './item.ts'
import { loadNode } from './node-cache.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Branch, BranchNode, DirectoryNode } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Loads the root block of a directory.
 *
 * @throws {InvalidNodeError} where it is a branch node of one branch, which no root is
 */
export async function loadRoot (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<DirectoryNode> {
  const node = await loadNode(blocks, cid, options)

  if (!isLeaf(node) && node.branches.length < 2) {
    throw new InvalidNodeError('the root of a directory has one branch', { cid })
  }

  return node
}

/**
 * Loads a child of a branch node and holds it against what the branch claims of it.
 *
 * @throws {InvalidNodeError} where level, first name, count or size differ
 */
export async function loadChild (blocks: BlockReader, parent: BranchNode, branch: Branch, options: AbortOptions): Promise<DirectoryNode> {
  const node = await loadNode(blocks, branch.link, options)
  const { count, size } = directorySums(node)
  const first = isLeaf(node) ? node.entries[0]?.name : node.branches[0].first

  if (node.level !== parent.level - 1 || first !== branch.first || count !== branch.count || size !== branch.size) {
    throw new InvalidNodeError('a directory block contradicts the branch that links to it', { cid: branch.link })
  }

  return node
}

/**
 * The bytes of all files below a directory.
 */
export async function directorySize (blocks: BlockReader, cid: CID, options: AbortOptions = {}): Promise<number> {
  return directorySums(await loadRoot(blocks, cid, options)).size
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
