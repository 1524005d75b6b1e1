import { throwIfAborted } from '../../abort.ts'
import { cidKey, dagCborCode, isSnapshot, links } from '../../codec/index.ts'
import { mapAhead } from '../../concurrency.ts'
import { MissingBlockError } from '../../errors.ts'
import { isMissing } from '../publish/block-presence.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { Block } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store
const readsInWork = 16

/** Where a walk begins or goes on. */
export interface Reach {
  readonly cid: CID
  /** The block need not be there */
  readonly isOptional?: boolean
  /** Nor need anything below it */
  readonly isLenient?: boolean
}

export interface ReachOptions extends AbortOptions {
  /** Blocks that were reached, by `cidKey`; the walk does not enter them, and adds its own. Default: none */
  readonly seen?: Set<string>
}

/**
 * The CIDs of all blocks below some roots, the roots among them, each once and in no order. The parents of snapshots, and
 * their trees, may be missing: a history may be shallow. Blocks of bytes are not looked for, since nothing is below them.
 *
 * @throws {MissingBlockError} where a node is missing whose children nobody can know then
 */
export async function * reachable (store: BlockStore, blocks: BlockReader, roots: Iterable<Reach>, options: ReachOptions): AsyncGenerator<CID> {
  const { seen = new Set<string>() } = options
  // the last is entered first: who needs all that is below a node comes before who does not
  const open = [...roots].sort((a, b) => Number(b.isLenient ?? false) - Number(a.isLenient ?? false))

  while (open.length > 0) {
    throwIfAborted(options.signal)
    const nodes: Reach[] = []

    for (let next = open.pop(); next !== undefined; next = nodes.length < readsInWork ? open.pop() : undefined) {
      if (seen.has(cidKey(next.cid))) {
        continue
      }

      seen.add(cidKey(next.cid))

      if (next.cid.code === dagCborCode) {
        nodes.push(next)
      } else {
        yield next.cid
      }
    }

    for await (const { cid, block, isLenient } of mapAhead(nodes, readsInWork, async node => read(store, blocks, node, options))) {
      if (block === undefined) {
        // it may be needed elsewhere
        seen.delete(cidKey(cid))
        continue
      }

      yield cid
      const isOptional = isLenient === true || isSnapshot(block)

      for (const link of links(block)) {
        open.push({ cid: link, isOptional, isLenient })
      }
    }
  }
}

async function read (store: BlockStore, blocks: BlockReader, node: Reach, options: AbortOptions): Promise<Reach & { block?: Block }> {
  const { cid } = node

  try {
    return { ...node, block: await blocks.get(cid, options) }
  } catch (err) {
    if (!await isMissing(store, cid, err, options)) {
      throw err
    }

    if (node.isOptional === true) {
      return node
    }

    throw new MissingBlockError('a block is missing: the blocks below it are unknown', { cid, cause: err })
  }
}
