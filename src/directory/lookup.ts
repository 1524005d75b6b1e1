import { requireClaims, requireRoot } from './load.ts'
import { lookUp } from './node-cache.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Entry } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Finds the entry with a name, reading one block per level.
 */
export async function findEntry (blocks: BlockReader, cid: CID, name: string, options: AbortOptions = {}): Promise<Entry | undefined> {
  let found = await lookUp(blocks, cid, name, options)

  if ('branches' in found) {
    requireRoot(cid, found.branches)
  }

  while ('branch' in found) {
    const child = await lookUp(blocks, found.branch.link, name, options)
    requireClaims(found, found.branch, child.level, child)
    found = child
  }

  return found.entry
}
