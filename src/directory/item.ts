import { encodeBranch, encodeEntry, isLeaf } from '../codec/index.ts'
import type { Branch, DirectoryNode, Entry } from '../codec/index.ts'

/**
 * What a level is made of, encoded: an entry at level 0, a branch above.
 */
export interface Item {
  /** The entry's name, or that of the first entry below the branch */
  readonly name: string
  readonly bytes: Uint8Array
  /** Entries of the directory that it stands for */
  readonly count: number
  /** Bytes of all files below */
  readonly size: number
}

export interface BranchItem extends Item {
  readonly branch: Branch
}

export function entryItem (entry: Entry): Item {
  return { name: entry.name, bytes: encodeEntry(entry), count: 1, size: fileBytes(entry) }
}

export function branchItem (branch: Branch): BranchItem {
  return { name: branch.first, bytes: encodeBranch(branch), count: branch.count, size: branch.size, branch }
}

/**
 * The items of a decoded node, with the bytes that it holds of them.
 */
export function nodeItems (node: DirectoryNode): Item[] {
  const bytes = (i: number): Uint8Array => node.bytes.subarray(node.offsets[i], node.offsets[i + 1])

  return isLeaf(node)
    ? node.entries.map((entry, i) => ({ name: entry.name, bytes: bytes(i), count: 1, size: fileBytes(entry) }))
    : node.branches.map((branch, i) => ({ name: branch.first, bytes: bytes(i), count: branch.count, size: branch.size, branch }))
}

/** The bytes of files that an entry stands for; a link's size is that of its target, which is no file's. */
export function fileBytes (entry: Entry): number {
  return entry.kind === 'symlink' ? 0 : entry.size
}
