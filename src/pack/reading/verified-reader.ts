import { BlockMismatchError, CorruptStoreError, NotFoundError } from '../../errors.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { isErrorCode } from '../files/error-code.ts'
import { isIntact } from '../format/record.ts'
import { cidOfKey, digestOf, isStorable, keyOf } from '../format/section.ts'
import { CheckingThreads } from '../segments/checking-threads.ts'
import { missingSegment } from '../segments/missing-segment.ts'
import { findNewest } from '../session.ts'
import type { Location } from '../format/locations.ts'
import type { Session } from '../session.ts'
import type { CID } from 'multiformats/cid'

export interface ReadBlock {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/**
 * Reads blocks and compares them with their CIDs, wherever compaction and other processes have put them meanwhile.
 */
export class VerifiedReader {
  readonly #session: Session
  readonly #trusted: boolean
  readonly #noteDamaged: ((key: Uint8Array) => void) | undefined
  readonly #threads = new CheckingThreads()

  /** `noteDamaged` is called with each block whose bytes do not match its CID. */
  constructor (session: Session, trusted: boolean, noteDamaged?: (key: Uint8Array) => void) {
    this.#session = session
    this.#trusted = trusted
    this.#noteDamaged = noteDamaged
  }

  async has (cid: CID): Promise<boolean> {
    return isStorable(cid) && await this.#find(keyOf(cid)) !== undefined
  }

  async read (cid: CID): Promise<Uint8Array> {
    const key = isStorable(cid) ? keyOf(cid) : undefined
    let location = key === undefined ? undefined : await this.#find(key)

    if (key === undefined || location === undefined) {
      throw this.#missing(cid)
    }

    for (;;) {
      try {
        const now = this.#session.readNow(location)
        const bytes = now === undefined ? await this.#readIntact(location, key) : this.#ifIntact(now, key)

        if (bytes !== undefined) {
          return bytes
        }

        throw new BlockMismatchError('a block is damaged; put it again, or run verify()', { cid })
      } catch (err) {
        location = await this.#movedFrom(cid, location, err)
      }
    }
  }

  /** Reads some blocks in the order in which they stand on the disk. */
  async readBatch (cids: readonly CID[]): Promise<ReadBlock[]> {
    const order = cids.map((cid, i) => ({ i, cid, location: isStorable(cid) ? this.#session.find(keyOf(cid)) : undefined }))
      .sort((a, b) => (a.location?.segment ?? 0) - (b.location?.segment ?? 0) || (a.location?.offset ?? 0) - (b.location?.offset ?? 0))
    const read = new Array<ReadBlock>(cids.length)

    for (const { i, cid } of order) {
      read[i] = { cid, bytes: await this.read(cid) }
    }

    return read
  }

  /** Ends what reading has begun besides. */
  async close (): Promise<void> {
    await this.#threads.close()
  }

  /** The bytes, where the key names them. */
  #ifIntact (bytes: Uint8Array, key: Uint8Array): Uint8Array | undefined {
    return this.#trusted || isIntact(key, bytes) ? bytes : undefined
  }

  async #readIntact (location: Location, key: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#trusted) {
      return this.#session.read(location)
    }

    const { bytes, digest } = await this.#session.segments.readHashed(location, this.#threads)

    return Buffer.compare(digest, digestOf(key)) === 0 ? bytes : undefined
  }

  /** A failure to find a block is not its absence. */
  #missing (cid: CID): Error {
    return isStorable(cid) && this.#session.mayContainUnindexed()
      ? new CorruptStoreError('the block was not found, and may be in a damaged or missing segment; run verify()', { cid })
      : new NotFoundError('the store does not have the block', { cid })
  }

  async #find (key: Uint8Array): Promise<Location | undefined> {
    return this.#session.find(key) ?? await findNewest(this.#session, key)
  }

  /** Where compaction has put a block meanwhile, unless it is gone; the failure stands where it is still at the same place. */
  async #movedFrom (cid: CID, location: Location, err: unknown): Promise<Location> {
    const key = keyOf(cid)
    const moved = await findNewest(this.#session, key)

    if (moved === undefined) {
      throw this.#missing(cid)
    }

    // one that is damaged may have been put back
    if (!isSame(moved, location) || await this.#session.segments.closeReplaced([location.segment])) {
      return moved
    }

    if (isErrorCode(err, 'ENOENT')) {
      throw missingSegment(this.#session.segments.path(location.segment), err, cidOfKey(key))
    }

    if (err instanceof BlockMismatchError) {
      this.#noteDamaged?.(key)
    }

    throw err
  }
}
