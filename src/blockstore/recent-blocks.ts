import { cidKey } from '../codec/index.ts'
import { pace } from '../pace.ts'
import { Recent } from './recent.ts'
import type { BlockReader } from './reader.ts'
import type { Block } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// a chunk of the default layout, the largest that there may be, and the index blocks above it
const recentBytes = 4 * 2 ** 20

/**
 * Reads blocks and keeps those that were read last. Whoever reads a file piece by piece asks for the same chunk many
 * times, and fetching and checking it costs more than the piece.
 */
export class RecentBlocks implements BlockReader {
  readonly #blocks: BlockReader
  readonly #recent = new Recent<Block>(recentBytes)

  constructor (blocks: BlockReader) {
    this.#blocks = blocks
  }

  async get (cid: CID, options?: AbortOptions): Promise<Block> {
    const key = cidKey(cid)
    const known = this.#recent.get(key)

    if (known !== undefined) {
      // a file may consist of one block many times over, and nothing else would ever wait
      await pace(options)

      return known
    }

    const block = await this.#blocks.get(cid, options)
    this.#recent.set(key, block)

    return block
  }
}
