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
   * @throws {BlockMismatchError} where the bytes do not match the CID
   * @throws {LimitExceededError} where the block is larger than 2 MiB
   */
  get(cid: CID, options?: AbortOptions): Promise<Block>
}

type CheckedSource = BlockSource & Pick<BlockKeeper, 'checksBytes'>

interface ReaderOptions {
  /** Whether the store's bytes are taken without comparing them with their CIDs */
  readonly trusted?: boolean
}

/**
 * Reads from a store, checking what comes against its CID unless the store is trusted: by default where it does so
 * itself.
 */
export function blockReader (store: CheckedSource, { trusted = store.checksBytes === true }: ReaderOptions = {}): BlockReader {
  return {
    async get (cid, options) {
      await pace(options)
      const bytes = await collect(store, cid, options)

      if (!trusted && !await isBlockIntact(cid, bytes)) {
        throw new BlockMismatchError('the block does not match its CID; get it elsewhere', { cid })
      }

      return { cid, bytes }
    }
  }
}

/** Of each store, the readers that its filesystems share: the one that trusts it and the one that checks */
const readers = new WeakMap<BlockSource, Map<boolean, BlockReader>>()

/**
 * The same reader for all who read from one store and trust it as much. What is cached by reader is then cached once,
 * however many filesystems are open on the store.
 */
export function sharedReader (store: CheckedSource, { trusted = store.checksBytes === true }: ReaderOptions = {}): BlockReader {
  const ofStore = readers.get(store) ?? new Map<boolean, BlockReader>()
  const reader = ofStore.get(trusted) ?? blockReader(store, { trusted })
  ofStore.set(trusted, reader)
  readers.set(store, ofStore)

  return reader
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
