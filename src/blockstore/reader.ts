import { concat } from '../bytes.ts'
import { isBlockIntact, maxReadBlockBytes } from '../codec/index.ts'
import { BlockMismatchError, LimitExceededError } from '../errors.ts'
import { pace } from '../pace.ts'
import { withCid } from './with-cid.ts'
import type { BlockKeeper, BlockSource } from './store.ts'
import type { Block } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Reads blocks by CID.
 */
export interface BlockReader {
  /**
   * @throws {Error} what the store throws for a block that it does not have, with the block's CID added as `cid`
   * @throws {BlockMismatchError} where the bytes are not those that the CID names
   * @throws {LimitExceededError} where the block is larger than 2 MiB
   */
  get(cid: CID, options?: AbortOptions): Promise<Block>
}

/**
 * Reads from a store, checking what comes against its CID unless the store is trusted: by default where it does so
 * itself.
 */
export function blockReader (store: BlockSource & Pick<BlockKeeper, 'checksBytes'>, { trusted = store.checksBytes === true }: { trusted?: boolean } = {}): BlockReader {
  return {
    async get (cid, options) {
      await pace(options)
      const bytes = await collect(store, cid, options)

      if (!trusted && !await isBlockIntact(cid, bytes)) {
        throw new BlockMismatchError('the store gave other bytes than the CID names; get it elsewhere', { cid })
      }

      return { cid, bytes }
    }
  }
}

async function collect (store: BlockSource, cid: CID, options?: AbortOptions): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0

  try {
    for await (const part of store.get(cid, options)) {
      size += part.byteLength

      if (size > maxReadBlockBytes) {
        throw new LimitExceededError(`a block is larger than ${maxReadBlockBytes} bytes`, { cid })
      }

      parts.push(part)
    }
  } catch (err) {
    throw withCid(err, cid, options)
  }

  return parts.length === 1 ? parts[0] : concat(parts)
}
