import pLimit from 'p-limit'
import { BlockMismatchError, LimitExceededError, UnsupportedHashError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { keyText } from '../format/key-text.ts'
import { isAtOrBehind } from '../format/locations.ts'
import { isIntact } from '../format/record.ts'
import { digestOf, isStorable, keyOf, maxBlockBytes } from '../format/section.ts'
import type { GcProtectedSet } from './gc-protected-set.ts'
import type { LogWriter } from './log-writer.ts'
import type { PutOptions } from '../../options.ts'
import type { IndexOverlay } from '../block-index/index-overlay.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'
import type { Segments } from '../segments/segments.ts'
import type { CID } from 'multiformats/cid'

// larger blocks are hashed in the thread pool
const checkedNowBytes = 2 ** 18

export interface IncomingParts {
  readonly segments: Segments
  readonly overlay: IndexOverlay
  readonly log: LogWriter
  readonly protectedBlocks: GcProtectedSet
  /** Waits until the overlay may grow */
  makeRoom(): Promise<void>
  /** Notes where a block stands that was appended, before anything else is */
  onStored(key: Uint8Array, location: Location): void
}

/**
 * What is put into a store: compared with its CID, looked for among what is there, and appended to the log once, however
 * many put it.
 */
export class IncomingBlocks {
  readonly #parts: IncomingParts
  /** Where the log ended when the store was opened */
  readonly #opened: LogPosition
  /** One after the other: each holds a copy of a block */
  readonly #checks = pLimit(1)
  /** What is done when a block was put or refused, by its key */
  readonly #puts = new Map<string, Promise<void>>()
  /** Blocks that were seen to be damaged, and not stored anew since */
  readonly #damaged = new Set<string>()

  constructor (parts: IncomingParts) {
    this.#parts = parts
    this.#opened = parts.log.position
  }

  /** Puts a block where nothing has to be waited for, and returns whether it did. */
  putNow (cid: CID, bytes: Uint8Array, { verified = false }: PutOptions): boolean {
    const { overlay, log } = this.#parts

    if (!isStorable(cid) || bytes.byteLength > maxBlockBytes || overlay.isOverfull) {
      return false
    }

    const key = keyOf(cid)
    const known = overlay.find(key)

    if (known !== undefined) {
      return this.#isWhole(key, known, bytes)
    }

    if (!log.isReadyFor(key, bytes) || (!verified && !isIntactNow(key, bytes))) {
      return false
    }

    this.#note(key, log.appendNow(key, bytes))

    return true
  }

  /**
   * @throws {UnsupportedHashError} where the CID's hash is not sha2-256
   * @throws {LimitExceededError} where the block is larger than 2 MiB
   * @throws {BlockMismatchError} where the bytes do not match the CID
   * @throws {StoreStateError} where the overlay may not grow
   */
  async put (cid: CID, bytes: Uint8Array, { verified = false }: PutOptions = {}): Promise<void> {
    if (!isStorable(cid)) {
      throw new UnsupportedHashError('the store holds only blocks with a sha2-256 hash', { cid })
    }

    if (bytes.byteLength > maxBlockBytes) {
      throw new LimitExceededError(`a block of ${bytes.byteLength} bytes is larger than ${maxBlockBytes}`, { cid })
    }

    await this.#parts.makeRoom()
    const key = keyOf(cid)
    const text = keyText(key)

    // whoever puts a block that is being put looks again when that is done, and has nothing to hash
    for (let other = this.#puts.get(text); other !== undefined; other = this.#puts.get(text)) {
      await other
    }

    const putting = this.#put(cid, key, bytes, verified)
    // its failure is told to whom it belongs; the others have bytes of their own
    this.#puts.set(text, putting.catch(() => {}).finally(() => { this.#puts.delete(text) }))

    await putting
  }

  async #put (cid: CID, key: Uint8Array, bytes: Uint8Array, verified: boolean): Promise<void> {
    const { overlay, log, protectedBlocks } = this.#parts
    const known = overlay.find(key)

    if (known !== undefined && await this.#isStored(key, known, bytes)) {
      return
    }

    let isAppended = false
    const isNeeded = (): boolean => {
      const found = overlay.find(key)

      // what was dropped meanwhile is needed
      if (found === undefined || isSame(found, known)) {
        return true
      }

      // what was moved, or put at once, is not: a collection that comes to it next is to know
      protectedBlocks.add(key)

      return false
    }
    // what is to take the place of another one is looked at in any case
    const right = verified && known === undefined ? bytes : await this.#checks(async () => checkedCopy(cid, key, bytes))

    await log.append(key, right, isNeeded, location => {
      isAppended = true
      this.#note(key, location)
    })

    if (!isAppended) {
      // and again: a root that was published meanwhile let that be forgotten
      protectedBlocks.add(key)
    }
  }

  /** Notes that the bytes of a block were found to be wrong, so that it is stored anew when it is put. */
  noteDamaged (key: Uint8Array): void {
    this.#damaged.add(keyText(key))
  }

  /** Notes that a block was stored anew. */
  noteWhole (key: Uint8Array): void {
    if (this.#damaged.size > 0) {
      this.#damaged.delete(keyText(key))
    }
  }

  #note (key: Uint8Array, location: Location): void {
    this.noteWhole(key)
    this.#parts.onStored(key, location)
  }

  /**
   * A block that came in this session is still in memory or was just written, and is believed until it is seen to be
   * damaged; others are compared, and so healed.
   */
  #isWhole (key: Uint8Array, known: Location, bytes: Uint8Array): boolean {
    const isRecent = isAtOrBehind(known, this.#opened) && (this.#damaged.size === 0 || !this.#damaged.has(keyText(key)))
    const isWhole = isRecent || isEqual(this.#readNow(known), bytes)

    if (isWhole) {
      this.#parts.protectedBlocks.add(key)
    }

    return isWhole
  }

  async #isStored (key: Uint8Array, known: Location, bytes: Uint8Array): Promise<boolean> {
    const { overlay, protectedBlocks } = this.#parts

    if (this.#isWhole(key, known, bytes)) {
      return true
    }

    // before it is read: a collection goes on meanwhile
    protectedBlocks.add(key)

    if (!isEqual(await this.#read(known), bytes) || overlay.find(key) === undefined) {
      return false
    }

    // and again: a root that is published meanwhile lets that be forgotten
    protectedBlocks.add(key)

    return true
  }

  /** What cannot be read is put again, whatever the reason. */
  #readNow (location: Location): Uint8Array | undefined {
    try {
      return this.#parts.log.read(location) ?? this.#parts.segments.readNow(location)
    } catch {
      return undefined
    }
  }

  /** As above */
  async #read (location: Location): Promise<Uint8Array | undefined> {
    try {
      return await this.#parts.segments.read(location)
    } catch {
      return undefined
    }
  }
}

/** Whether bytes are seen at once to be right. Another thread could change those that it shares. */
function isIntactNow (key: Uint8Array, bytes: Uint8Array): boolean {
  return bytes.byteLength <= checkedNowBytes && !(bytes.buffer instanceof SharedArrayBuffer) && isIntact(key, bytes)
}

/** A copy: the caller could change the bytes once they are hashed, and the commit that vouches for them would be lost. */
async function checkedCopy (cid: CID, key: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const copy = new Uint8Array(bytes)

  if (Buffer.compare(await sha256(copy), digestOf(key)) !== 0) {
    throw new BlockMismatchError('the bytes do not match the CID', { cid })
  }

  return copy
}

function isEqual (a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0
}
