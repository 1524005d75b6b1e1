import { createUnsafe } from 'multiformats/block'
import { blockReader } from '../../blockstore/index.ts'
import { rawCode } from '../../codec/index.ts'
import { InvalidOptionError, MissingBlockError } from '../../errors.ts'
import { isMissing } from '../publish/block-presence.ts'
import type { BlockReader, BlockSource } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Pin } from '../publish/pins.ts'
import type { DagFsComponents } from '../types.ts'
import type { CID } from 'multiformats/cid'

/**
 * The blocks that a pin of somebody else is about, of any codec that the Helia node knows.
 *
 * @throws {MissingBlockError} where one of them is missing
 */
export async function * pinnedBlocks (components: DagFsComponents, source: BlockSource, { cid: root, depth: maxDepth }: Pick<Pin, 'cid' | 'depth'>, options: AbortOptions): AsyncGenerator<CID> {
  // blocks of other formats may have other hashes
  const blocks = blockReader(source, { trusted: true })
  const seen = new Set<string>()
  let level = [root]

  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const below: CID[] = []

    for (const cid of level) {
      if (seen.has(String(cid))) {
        continue
      }

      seen.add(String(cid))
      yield cid

      if (cid.code !== rawCode && depth < maxDepth) {
        below.push(...await linksOf(components, blocks, cid, options))
      }
    }

    level = below
  }
}

async function linksOf (components: DagFsComponents, blocks: BlockReader, cid: CID, options: AbortOptions): Promise<CID[]> {
  if (components.getCodec === undefined) {
    throw new InvalidOptionError('getCodec', 'is needed to find the blocks below other pins; pass the whole Helia node')
  }

  const codec = await components.getCodec(cid.code)
  const { bytes } = await read(components, blocks, cid, options)

  return Array.from(createUnsafe({ cid, bytes, codec }).links(), ([, link]) => link)
}

async function read (components: DagFsComponents, blocks: BlockReader, cid: CID, options: AbortOptions): ReturnType<BlockReader['get']> {
  try {
    return await blocks.get(cid, options)
  } catch (err) {
    throw await isMissing(components.blockstore, cid, err, options)
      ? new MissingBlockError('a pinned block is missing: the blocks below it are unknown', { cid, cause: err })
      : err
  }
}
