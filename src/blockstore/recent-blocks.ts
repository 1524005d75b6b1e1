import { cidKey, rawCode } from '../codec/index.ts'
import { pace } from '../pace.ts'
import { Recent } from './recent.ts'
import type { BlockReader } from './reader.ts'
import type { Block } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// some chunks of the default layout, the largest that there may be, or one and the index blocks above it
const recentBytes = 4.5 * 2 ** 20
// of an index block, its parts are kept as well
const indexFactor = 6
// the block, its CID, its place among the others
const itemBytes = 1_000

const shared = new WeakMap<BlockReader, RecentBlocks>()

/** The same for all who read files through one reader, however many are open. */
export function recentBlocks (blocks: BlockReader): RecentBlocks {
  const recent = shared.get(blocks) ?? new RecentBlocks(blocks)
  shared.set(blocks, recent)

  return recent
}

/**
 * Reads blocks and keeps those that were read last. Whoever reads a file piece by piece asks for the same chunk many
 * times, and fetching and checking it costs more than the piece.
 */
export class RecentBlocks implements BlockReader {
  readonly #blocks: BlockReader
  readonly #recent = new Recent<Block>(recentBytes, ({ cid, bytes }) => itemBytes + bytes.byteLength * (cid.code === rawCode ? 1 : indexFactor))

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
