import { Recent } from '../blockstore/index.ts'
import { cidKey, decodeDirectory } from '../codec/index.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { DirectoryNode } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// the upper levels of a large tree and the leaves in use; decoded, a node takes about five times its bytes
const cacheBytes = 4 * 2 ** 20

/** The directory nodes that were decoded last. */
const caches = new WeakMap<BlockReader, Recent<DirectoryNode>>()

/**
 * Loads and decodes a directory node, or finds it among those that were decoded last.
 */
export async function loadNode (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<DirectoryNode> {
  const cache = cacheOf(blocks)
  const key = cidKey(cid)
  const known = cache.get(key)

  if (known !== undefined) {
    return known
  }

  const node = decodeDirectory(await blocks.get(cid, options))
  cache.set(key, node)

  return node
}

function cacheOf (blocks: BlockReader): Recent<DirectoryNode> {
  const cache = caches.get(blocks) ?? new Recent<DirectoryNode>(cacheBytes)
  caches.set(blocks, cache)

  return cache
}
