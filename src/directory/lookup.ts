import { requireClaims, requireRoot, requireSize } from './load.ts'
import { lookUp, lookUpKnown } from './node-cache.ts'
import type { StoredDirectory } from './load.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Branch, Entry, FoundInDirectory } from '../codec/index.ts'

/**
 * Finds the entry with a name, reading one block per level.
 */
export async function findEntry (blocks: BlockReader, directory: StoredDirectory, name: string, options: ReadOptions = {}): Promise<Entry | undefined> {
  let found = requireFoundInRoot(directory, await lookUp(blocks, directory.cid, name, options))

  while ('branch' in found) {
    found = requireFoundBelow(found, await lookUp(blocks, found.branch.link, name, options))
  }

  return found.entry
}

/**
 * As `findEntry`, at once: returns null for a name that is not there, and undefined where a block would have to be read.
 */
export function findKnownEntry (blocks: BlockReader, directory: StoredDirectory, name: string): Entry | null | undefined {
  const root = lookUpKnown(blocks, directory.cid, name)
  let found = root === undefined ? undefined : requireFoundInRoot(directory, root)

  while (found !== undefined && 'branch' in found) {
    const child = lookUpKnown(blocks, found.branch.link, name)
    found = child === undefined ? undefined : requireFoundBelow(found, child)
  }

  return found === undefined ? undefined : found.entry ?? null
}

function requireFoundInRoot (directory: StoredDirectory, found: FoundInDirectory): FoundInDirectory {
  if ('branches' in found) {
    requireRoot(directory.cid, found.branches)
  }

  requireSize(directory, found.size)

  return found
}

function requireFoundBelow (parent: FoundInDirectory & { readonly branch: Branch }, child: FoundInDirectory): FoundInDirectory {
  requireClaims(parent, parent.branch, child.level, child)

  return child
}
