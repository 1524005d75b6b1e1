import { isLeaf } from '../codec/index.ts'
import { InvalidNodeError } from '../errors.ts'
import { compareNames } from '../path.ts'
import { loadNode } from './node-cache.ts'
import { directorySums, heldBy, lastName } from './node.ts'
import type { Held } from './node.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Branch, BranchNode, DirectoryNode, Entry } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

/** A directory in a store: its root node, and its size as the entry claims it that links to it. */
export interface StoredDirectory {
  readonly cid: CID
  /** Undefined where nothing is claimed, as for the root of a tree */
  readonly size?: number | undefined
}

/** The directory that an entry links to, if it does. */
export function directoryOf (entry: Entry | undefined): StoredDirectory | undefined {
  return entry?.kind === 'directory' ? { cid: entry.content, size: entry.size } : undefined
}

/**
 * Loads the root block of a directory.
 *
 * @throws {InvalidNodeError} where it is a branch node of one branch, which no root is, or where its size is not the claimed one
 */
export async function loadRoot (blocks: BlockReader, directory: StoredDirectory, options: ReadOptions): Promise<DirectoryNode> {
  const node = await loadNode(blocks, directory.cid, options)

  if (!isLeaf(node)) {
    requireRoot(directory.cid, node.branches.length)
  }

  if (directory.size !== undefined) {
    requireSize(directory, directorySums(node).size)
  }

  return node
}

/** Compares the claimed size of a directory with that of its root node. */
export function requireSize ({ cid, size: claimed }: StoredDirectory, size: number): void {
  if (claimed !== undefined && size !== claimed) {
    throw new InvalidNodeError(`fs.canonicalize() corrects this: an entry claims ${claimed} bytes for a directory of ${size}`, { cid })
  }
}

export function requireRoot (cid: CID, branches: number): void {
  if (branches < 2) {
    throw new InvalidNodeError('the root of a directory has one branch', { cid })
  }
}

/** A node, and the name before which everything below it comes; undefined where nothing follows. */
export interface BoundedNode {
  readonly node: DirectoryNode
  readonly end: string | undefined
}

/**
 * Loads a child of a branch node, which itself ends before a name, and holds it against what the branch, and the one behind it, claim of it. So names are in
 * order across the blocks that are read, whichever these are.
 *
 * @throws {InvalidNodeError} where level, first name, count or size differ, or its last item is not before what follows
 */
export async function loadChild (blocks: BlockReader, parent: BranchNode, index: number, parentEnd: string | undefined, options: ReadOptions): Promise<BoundedNode> {
  const branch = parent.branches[index]
  const end = parent.branches.at(index + 1)?.first ?? parentEnd
  const node = await loadNode(blocks, branch.link, options)
  requireClaims(parent, branch, node.level, heldBy(node))

  if (end !== undefined && compareNames(lastName(node), end) >= 0) {
    refuse(branch)
  }

  return { node, end }
}

/** Holds what is in a child against what the branch that links to it claims. */
export function requireClaims (parent: { readonly level: number }, branch: Branch, level: number, { first, count, size }: Held): void {
  if (level !== parent.level - 1 || first !== branch.first || count !== branch.count || size !== branch.size) {
    refuse(branch)
  }
}

function refuse ({ link }: Branch): never {
  throw new InvalidNodeError('a directory block contradicts the branches above it', { cid: link })
}

/**
 * The bytes of all files below a directory.
 *
 * @throws {InvalidNodeError} where that is not the size that is claimed for it
 */
export async function directorySize (blocks: BlockReader, directory: StoredDirectory, options: ReadOptions = {}): Promise<number> {
  return directorySums(await loadRoot(blocks, directory, options)).size
}
