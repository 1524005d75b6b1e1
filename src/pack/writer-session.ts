import { clearTimeout, setTimeout } from 'node:timers'
import pLimit from 'p-limit'
import { BlockMismatchError, LimitExceededError, UnsupportedHashError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import { isSame } from './catalog.ts'
import { mayHide } from './catch-up.ts'
import { closedError } from './closed-error.ts'
import { isErrorCode } from './error-code.ts'
import { keyText } from './key-text.ts'
import { isAtOrBehind } from './locations.ts'
import { isIntact } from './record.ts'
import { digestOf, isStorable, keyOf, maxBlockBytes } from './section.ts'
import { Touched } from './touched.ts'
import type { Catalog } from './catalog.ts'
import type { Lock } from './files.ts'
import type { Loaded, LostEnd } from './load.ts'
import type { Location } from './locations.ts'
import type { LogWriter, RecordChange } from './log-writer.ts'
import type { Settings } from './options.ts'
import type { Place } from './record.ts'
import type { Segments } from './segments.ts'
import type { EndsOptions, Session } from './session.ts'
import type { PutOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// larger blocks are hashed in the thread pool
const checkedNowBytes = 2 ** 18

/** What `openWriter` has made ready */
export interface WriterParts {
  readonly segments: Segments
  readonly loaded: Loaded
  readonly log: LogWriter
  readonly lock: Lock
  readonly settings: Settings
}

/**
 * A store that is open for writing: the log, the catalog of what stands in it, and the lock.
 */
export class WriterSession implements Session {
  readonly segments: Segments
  readonly catalog: Catalog
  readonly log: LogWriter
  readonly touched: Touched
  readonly store: Uint8Array
  readonly lost: LostEnd | undefined
  readonly #lock: Lock
  readonly #settings: Settings
  /** One after the other: each holds a copy of a block */
  readonly #checks = pLimit(1)
  /** What is done when a block was put or refused, by its key */
  readonly #puts = new Map<string, Promise<void>>()
  /** Where the log ended when the store was opened */
  readonly #opened: Place
  /** Blocks that were seen to be damaged, and not stored anew since */
  readonly #damaged = new Set<string>()
  /** The last segment that the index was told to have an acknowledged record */
  #told: number
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #isClosed = false

  constructor ({ segments, loaded, log, lock, settings }: WriterParts) {
    this.segments = segments
    this.catalog = loaded.catalog
    this.log = log
    this.store = loaded.store
    this.lost = loaded.lost
    this.touched = new Touched(log.position)
    this.#lock = lock
    this.#settings = settings
    this.#opened = log.position
    this.#told = log.position.segment
  }

  get roots (): ReadonlyMap<string, Uint8Array> {
    return this.log.roots
  }

  find (key: Uint8Array): Location | undefined {
    if (this.#isClosed) {
      throw closedError(this.segments.directory)
    }

    return this.catalog.find(key)
  }

  /** There is nobody else who could have changed anything. */
  async refresh (): Promise<void> {}

  readNow (location: Location): Uint8Array | undefined {
    return this.log.read(location) ?? this.segments.readNow(location)
  }

  async read (location: Location): Promise<Uint8Array> {
    return this.segments.read(location)
  }

  async ends ({ leavesOutUnwritten = false }: EndsOptions = {}): Promise<Map<number, number | undefined>> {
    try {
      await this.record()
    } catch (err) {
      if (!leavesOutUnwritten || !isDiskFull(err)) {
        throw err
      }
    }

    const { segments, coverage, position } = this.log

    return new Map(segments.map(segment => [segment, segment === position.segment ? coverage.get(segment)?.length ?? 0 : undefined]))
  }

  mayHide (): boolean {
    const { segments, coverage, position } = this.log

    return mayHide(segments.filter(segment => segment !== position.segment || coverage.has(segment)), coverage)
  }

  /** Puts a block where nothing has to be waited for, and answers whether it did. */
  putNow (cid: CID, bytes: Uint8Array, { verified = false }: PutOptions): boolean {
    if (!isStorable(cid) || bytes.byteLength > maxBlockBytes || this.catalog.isOverfull) {
      return false
    }

    const key = keyOf(cid)
    const known = this.catalog.find(key)

    if (known !== undefined) {
      return this.#isWhole(key, known, bytes)
    }

    if (!this.log.isReadyFor(key, bytes) || (!verified && !isIntactNow(key, bytes))) {
      return false
    }

    this.#noteBlock(key, this.log.appendNow(key, bytes))

    return true
  }

  /**
   * @throws {UnsupportedHashError} where the CID's hash is not sha2-256
   * @throws {LimitExceededError} where the block is larger than 2 MiB
   * @throws {BlockMismatchError} where the bytes are not those that the CID names
   * @throws {StoreStateError} see `makeRoom`
   */
  async put (cid: CID, bytes: Uint8Array, { verified = false }: PutOptions = {}): Promise<void> {
    if (!isStorable(cid)) {
      throw new UnsupportedHashError('the store holds blocks whose hash is sha2-256 alone', { cid })
    }

    if (bytes.byteLength > maxBlockBytes) {
      throw new LimitExceededError(`a block of ${bytes.byteLength} bytes is larger than ${maxBlockBytes}`, { cid })
    }

    await this.makeRoom()
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
    const known = this.catalog.find(key)

    if (known !== undefined && await this.#isStored(key, known, bytes)) {
      return
    }

    let isAppended = false
    const isNeeded = (): boolean => {
      const found = this.catalog.find(key)

      // what was dropped meanwhile is needed
      if (found === undefined || isSame(found, known)) {
        return true
      }

      // what was moved, or put at once, is not: a collection that comes to it next is to know
      this.touched.add(key)

      return false
    }
    // what is to take the place of another one is looked at in any case
    const right = verified && known === undefined ? bytes : await this.#checks(async () => checkedCopy(cid, key, bytes))

    await this.log.append(key, right, isNeeded, location => {
      isAppended = true
      this.#noteBlock(key, location)
    })

    if (!isAppended) {
      // and again: a root that was published meanwhile let that be forgotten
      this.touched.add(key)
    }
  }

  /** Notes that the bytes of a block were found to be wrong, so that it is stored anew when it is put. */
  noteDamaged (key: Uint8Array): void {
    this.#damaged.add(keyText(key))
  }

  /** It is never exchanged here. */
  holdCatalog (): () => void {
    return () => {}
  }

  async delete (cid: CID): Promise<void> {
    await this.makeRoom()
    const key = keyOf(cid)

    if (this.catalog.find(key) !== undefined) {
      this.removeKey(key)
    }
  }

  removeKey (key: Uint8Array): void {
    this.noteDropped(key)
    this.log.remove(key)
    this.#schedule()
  }

  /** Notes that nobody looks for a block any more that a compaction leaves out. */
  noteDropped (key: Uint8Array): void {
    this.catalog.set(key, undefined)
    this.#flushWhenDue()
  }

  noteMoved (key: Uint8Array, from: Location, to: Location): void {
    this.touched.move(key, from, to)
    this.catalog.set(key, to)
    this.#believe(key)
    this.#flushWhenDue()
  }

  /** Writes a record: what came before it outlives the process. */
  async record (change: RecordChange = {}): Promise<void> {
    await this.log.record(change)

    if (!this.log.hasChanges) {
      this.#unschedule()
    }
  }

  /** Publishes roots, and answers when they are as safe as the store's durability promises. */
  async publish (roots: ReadonlyMap<string, Uint8Array>): Promise<void> {
    let forget = (): void => {}
    await this.record({ roots, onWritten: () => { forget = this.touched.mark(this.log.position) } })

    if (this.#settings.durability === 'commit') {
      await this.log.sync()
      this.#tellOfSegment()
    }

    forget()
  }

  async sync (): Promise<void> {
    await this.record()
    await this.log.sync()
    this.#tellOfSegment()
  }

  /**
   * Writes all that there is into the index, up to a record that is on the disk: the index must never know more than
   * the log.
   */
  async flush (): Promise<void> {
    // one that is under way may have begun before what came last
    await this.#flushing?.catch(() => {})
    await this.#flushSome()
  }

  /** Does the same, or waits for one that is under way. */
  async #flushSome (): Promise<void> {
    this.#flushing ??= this.catalog.flush(async take => {
      let coverage = this.log.coverage
      await this.record({
        onWritten: () => {
          take()
          coverage = new Map(this.log.coverage)
        }
      })
      await this.log.sync()

      return { coverage, acknowledged: this.log.acknowledged }
    }).then(() => { this.#tell() }).finally(() => {
      this.#flushing = undefined
    })

    await this.#flushing
  }

  /**
   * Waits until something may be added to what the index does not have.
   *
   * @throws {StoreStateError} where there is as much as may be held, and the index cannot be written
   */
  async makeRoom (): Promise<void> {
    await this.catalog.makeRoom(async () => this.#flushSome())
  }

  async close (): Promise<void> {
    try {
      await this.#flushing

      if (this.catalog.size > 0) {
        await this.flush()
      }
    } finally {
      await this.#closeAll()
    }
  }

  async #closeAll (): Promise<void> {
    try {
      await this.log.close()
      this.#tell()
    } finally {
      // only now: a put that was under way may have set it
      this.#unschedule()
      // and begun to tell the index of it: the log takes no record for that any more
      await this.#flushing?.catch(() => {})
      this.#isClosed = true
      this.catalog.close()
      await this.segments.close()
      this.#lock.release()
    }
  }

  /**
   * A block that came in this session is still in memory or was just written, and is believed until it is seen to be
   * damaged; others are compared, and so healed.
   */
  #isWhole (key: Uint8Array, known: Location, bytes: Uint8Array): boolean {
    const isRecent = isAtOrBehind(known, this.#opened) && (this.#damaged.size === 0 || !this.#damaged.has(keyText(key)))
    const isWhole = isRecent || isEqual(this.#readOldNow(known), bytes)

    if (isWhole) {
      this.touched.add(key)
    }

    return isWhole
  }

  async #isStored (key: Uint8Array, known: Location, bytes: Uint8Array): Promise<boolean> {
    if (this.#isWhole(key, known, bytes)) {
      return true
    }

    // before it is read: a collection goes on meanwhile
    this.touched.add(key)

    if (!isEqual(await this.#readOld(known), bytes) || this.catalog.find(key) === undefined) {
      return false
    }

    // and again: a root that is published meanwhile lets that be forgotten
    this.touched.add(key)

    return true
  }

  #readOldNow (location: Location): Uint8Array | undefined {
    try {
      return this.readNow(location)
    } catch {
      return undefined
    }
  }

  /** What cannot be read is put again, whatever the reason. */
  async #readOld (location: Location): Promise<Uint8Array | undefined> {
    try {
      return await this.segments.read(location)
    } catch {
      return undefined
    }
  }

  /** Has the index remember the first commit in each segment, so that it is missed where somebody deletes it. */
  #tellOfSegment (): void {
    const { segment } = this.log.position

    if (segment !== this.#told) {
      this.#tell()
      this.#told = segment
    }
  }

  #tell (): void {
    if (this.log.acknowledged > this.catalog.acknowledged) {
      this.catalog.acknowledge(this.log.acknowledged)
    }
  }

  #noteBlock (key: Uint8Array, location: Location): void {
    this.catalog.set(key, location)
    this.#believe(key)
    this.#schedule()
    this.#flushWhenDue()
  }

  #believe (key: Uint8Array): void {
    if (this.#damaged.size > 0) {
      this.#damaged.delete(keyText(key))
    }
  }

  #flushWhenDue (): void {
    if (this.catalog.isDue && this.#flushing === undefined) {
      // a log that cannot be written fails the next commit, too
      this.#flushSome().catch(() => {})
    }
  }

  /** The timer keeps the process alive: what was answered is written though nobody closes the store. */
  #schedule (): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // as above
      this.record().catch(() => {})
    }, this.#settings.recordAfterMs)
  }

  #unschedule (): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
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
    throw new BlockMismatchError('the bytes are not those that the CID names', { cid })
  }

  return copy
}

/** Whether a disk, or what one may use of it, is full */
function isDiskFull (err: unknown): boolean {
  return isErrorCode(err, 'ENOSPC') || isErrorCode(err, 'EDQUOT')
}

function isEqual (a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0
}
