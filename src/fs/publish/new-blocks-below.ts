import { cidKey, dagCborCode, links } from '../../codec/index.ts'
import { MissingBlockError } from '../../errors.ts'
import { isPresent } from './block-presence.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * The blocks below some roots that were put lately, the roots among them: each once, read back to find those below it. It
 * takes time by what is new, not by what is there.
 *
 * @throws {MissingBlockError} where one of them is not in the store any more
 */
export async function * newBlocksBelow (store: BlockStore, blocks: BlockReader, roots: readonly CID[], puts: Iterable<CID>, options: AbortOptions): AsyncGenerator<CID> {
  const left = new Set<string>()

  for (const cid of puts) {
    left.add(cidKey(cid))
  }

  const open = [...roots]

  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    if (!left.delete(cidKey(cid))) {
      continue
    }

    if (!await isPresent(store, cid, options)) {
      throw new MissingBlockError('a block put since the last commit was deleted; write its content again', { cid })
    }

    yield cid

    if (cid.code === dagCborCode) {
      open.push(...links(await blocks.get(cid, options)))
    }
  }
}
