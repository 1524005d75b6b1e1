import { isLeaf } from '../codec/index.ts'
import { InvalidNodeError } from '../errors.ts'
import { loadNode } from './node-cache.ts'
import { directorySums, heldBy } from './node.ts'
import type { Held } from './node.ts'
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

  if (!isLeaf(node)) {
    requireRoot(cid, node.branches.length)
  }

  return node
}

export function requireRoot (cid: CID, branches: number): void {
  if (branches < 2) {
    throw new InvalidNodeError('the root of a directory has one branch', { cid })
  }
}

/**
 * Loads a child of a branch node and holds it against what the branch claims of it.
 *
 * @throws {InvalidNodeError} where level, first name, count or size differ
 */
export async function loadChild (blocks: BlockReader, parent: BranchNode, branch: Branch, options: AbortOptions): Promise<DirectoryNode> {
  const node = await loadNode(blocks, branch.link, options)
  requireClaims(parent, branch, node.level, heldBy(node))

  return node
}

/** Holds what is in a child against what the branch that links to it claims. */
export function requireClaims (parent: { readonly level: number }, branch: Branch, level: number, { first, count, size }: Held): void {
  if (level !== parent.level - 1 || first !== branch.first || count !== branch.count || size !== branch.size) {
    throw new InvalidNodeError('a directory block contradicts the branch that links to it', { cid: branch.link })
  }
}

/**
 * The bytes of all files below a directory.
 */
export async function directorySize (blocks: BlockReader, cid: CID, options: AbortOptions = {}): Promise<number> {
  return directorySums(await loadRoot(blocks, cid, options)).size
}
