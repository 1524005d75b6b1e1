import { cidKey, decodeDirectory } from '../codec/index.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { DirectoryNode } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// the upper levels of a large tree and the leaves in use; decoded, a node takes about five times its bytes
const cacheBytes = 4 * 2 ** 20

/**
 * The directory nodes that were decoded last, by CID. What a CID names never changes, so they are never out of date.
 */
class NodeCache {
  /** Least recently used first */
  readonly #nodes = new Map<string, DirectoryNode>()
  #bytes = 0

  get (key: string): DirectoryNode | undefined {
    const node = this.#nodes.get(key)

    if (node !== undefined) {
      this.#nodes.delete(key)
      this.#nodes.set(key, node)
    }

    return node
  }

  set (key: string, node: DirectoryNode): void {
    if (this.#nodes.has(key)) {
      return
    }

    this.#nodes.set(key, node)
    this.#bytes += node.bytes.byteLength

    for (const [oldestKey, oldest] of this.#nodes) {
      if (this.#bytes <= cacheBytes) {
        return
      }

      this.#nodes.delete(oldestKey)
      this.#bytes -= oldest.bytes.byteLength
    }
  }
}

const caches = new WeakMap<BlockReader, NodeCache>()

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

function cacheOf (blocks: BlockReader): NodeCache {
  const cache = caches.get(blocks) ?? new NodeCache()
  caches.set(blocks, cache)

  return cache
}
