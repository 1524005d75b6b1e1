import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { CorruptStoreError, LimitExceededError, StoreStateError } from '../../errors.ts'
import { closedError } from '../files/closed-error.ts'
import { isErrorCode } from '../files/error-code.ts'
import { fitRecord } from '../format/fit-record.ts'
import { keyText } from '../format/key-text.ts'
import { beginsAsRecordAt, encodeCommit, idBytes, maxSegments } from '../format/record.ts'
import { endOf, headBytes, maxBlockBytes, readHead } from '../format/section.ts'
import { encodeSegmentHead, recordSection } from '../format/segment-head.ts'
import { startsAsCommit } from '../scanning/recover.ts'
import { maxSegmentNumber } from '../segments/segments.ts'
import { Appender } from './appender.ts'
import { earlySync } from './early-sync.ts'
import { LogSyncs } from './log-syncs.ts'
import { segmentClaim } from './segment-claim.ts'
import type { WrittenSegment } from './log-syncs.ts'
import type { WritingClaim } from './segment-claim.ts'
import type { Coverage } from '../block-index/block-index.ts'
import type { Files, OpenFile } from '../files/files.ts'
import type { RecordLimits } from '../format/fit-record.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'
import type { Segments } from '../segments/segments.ts'

/** What the log is at its last record */
export interface LogState {
  readonly store: Uint8Array
  readonly sequence: number
  readonly place: LogPosition
  /** That of the segment with the record */
  readonly id: Uint8Array
  /** Where the record ends, and so the segment */
  readonly end: number
  readonly roots: ReadonlyMap<string, Uint8Array>
  readonly segments: readonly number[]
  readonly coverage: ReadonlyMap<number, Coverage>
  /** Whether the record vouches for nothing new, and says that all before it was on the disk */
  readonly isClosing: boolean
  /** The highest number that any segment in the directory has */
  readonly lastNumber: number
}

export interface LogWriterOptions {
  readonly files: Files
  readonly directory: string
  readonly segments: Segments
  /** Whether nobody else has opened the store for writing since */
  readonly claim: WritingClaim
  readonly segmentBytes: number
  /** How much is written at once */
  readonly pieceBytes: number
  /** After how much the disk begins with it, so that a sync finds little left to do; undefined where nobody waits for one */
  readonly earlySyncBytes: number | undefined
}

export interface RecordChange {
  readonly roots?: ReadonlyMap<string, Uint8Array>
  /** Segments that the store no longer consists of */
  readonly dropped?: ReadonlySet<number>
  /** Called as soon as the record is written, before anything can be appended behind it */
  onWritten?(): void
}

// a segment that has its head alone takes a block of any size
const emptySegmentBytes = 1024

/** Of a record with new roots: what is left of a block is for deletions in the next ones, and for more segments. */
export const maxPublishedBytes = maxBlockBytes - 2 ** 16

/**
 * The writing end of the log: blocks are appended, records vouch for them, a sync makes the records durable. Whoever
 * appends holds the mutex, so that nothing comes between a record and the range that it covers.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #store: Uint8Array
  readonly #mutex = pLimit(1)
  readonly #syncs: LogSyncs
  readonly #removed = new Set<string>()
  /** What is deleted while somebody gathers that */
  readonly #gathered = new Set<Set<string>>()
  #segments: readonly number[]
  #roots: ReadonlyMap<string, Uint8Array>
  #sequence: number
  #previous: LogPosition
  readonly #coverage: Map<number, Coverage>
  /** The one that is written */
  #current: WrittenSegment
  #segment: number
  #id: Uint8Array
  #lastNumber: number
  #appender: Appender
  /** Whether the last record is one that `close()` leaves */
  #isClosed: boolean

  /**
   * @param state - what the log is at its last record, which is on the disk, unless `close()` left it
   * @param file - the segment with that record, ending with it
   * @param options - where the segments are
   */
  constructor (state: LogState, file: OpenFile, options: LogWriterOptions) {
    this.#options = options
    this.#store = state.store
    this.#segments = [...state.segments]
    this.#roots = state.roots
    this.#sequence = state.sequence
    // no sync follows the record that `close()` leaves
    this.#syncs = new LogSyncs(state.isClosing ? Math.max(0, state.sequence - 1) : state.sequence)
    this.#previous = state.place
    this.#coverage = new Map(state.coverage)
    this.#segment = state.place.segment
    this.#current = this.#claimed(file)
    this.#id = state.id
    this.#lastNumber = Math.max(state.place.segment, state.lastNumber)
    this.#appender = this.#appenderTo(this.#current, state.end)
    this.#isClosed = state.isClosing
  }

  get roots (): ReadonlyMap<string, Uint8Array> {
    return this.#roots
  }

  get segments (): readonly number[] {
    return this.#segments
  }

  /** Where the next block goes */
  get position (): LogPosition {
    return { segment: this.#segment, offset: this.#appender.end }
  }

  /** The segment that the last record stands in */
  get lastSegment (): number {
    return this.#previous.segment
  }

  /** @throws {StoreStateError} where another writer has opened the store, or what is written is not the store's any more */
  requireOwn (): void {
    this.#current.claim.requireOwn()
  }

  /** How far each segment is known by its last record */
  get coverage (): ReadonlyMap<number, Coverage> {
    return this.#coverage
  }

  /** The sequence of the last record that is on the disk and says more than that the store was closed */
  get acknowledged (): number {
    const { durable } = this.#syncs

    return this.#isClosed && durable === this.#sequence ? durable - 1 : durable
  }

  get hasChanges (): boolean {
    return !this.#appender.isEmpty || this.#removed.size > 0
  }

  /** Whether a block can be appended at once. */
  isReadyFor (key: Uint8Array, data: Uint8Array): boolean {
    const isFree = this.#mutex.activeCount + this.#mutex.pendingCount === 0 && !this.#syncs.isBroken

    return isFree && !startsAsCommit(key, data) && !this.#isFull(key, data) && this.#appender.fits(headBytes(key, data.byteLength) + data.byteLength)
  }

  /** Appends what it is ready for. */
  appendNow (key: Uint8Array, data: Uint8Array): Location {
    if (this.#removed.size > 0) {
      this.#removed.delete(keyText(key))
    }

    return { segment: this.#segment, offset: this.#appender.append(key, data), length: data.byteLength }
  }

  /**
   * Appends when it can.
   *
   * @param key - what the index knows the block by
   * @param data - its bytes
   * @param isNeeded - asked when there is nothing to wait for any more: what is deleted until then must not come back
   * @param onAppended - called before anything else is appended
   */
  async append (key: Uint8Array, data: Uint8Array, isNeeded: () => boolean, onAppended: (location: Location) => void): Promise<void> {
    await this.#exclusively(async () => {
      if (this.#isFull(key, data)) {
        await this.#rotate()
      }

      await this.#appender.ready()
      await this.#keepApart(key, data)

      if (isNeeded()) {
        onAppended(this.appendNow(key, data))
      }
    })
  }

  /** Notes that a block is gone, which the next record tells. */
  remove (key: Uint8Array): void {
    const text = keyText(key)
    this.#removed.add(text)
    this.#gathered.forEach(gathered => gathered.add(text))
  }

  /** Does something with what is deleted behind the last record, by the texts of keys: what is so far, and whatever is meanwhile. */
  async gatherRemoved <T> (work: (removed: ReadonlySet<string>) => Promise<T>): Promise<T> {
    const gathered = new Set(this.#removed)
    this.#gathered.add(gathered)

    try {
      return await work(gathered)
    } finally {
      this.#gathered.delete(gathered)
    }
  }

  /** Bytes that are not in the file yet */
  read ({ segment, offset, length }: Location): Uint8Array | undefined {
    return segment === this.#segment ? this.#appender.read(offset, length) : undefined
  }

  /** Writes a record for what came since the last one, if there is anything to tell; or several, where deletions fill them. */
  async record (change: RecordChange = {}): Promise<void> {
    await this.#exclusively(async () => {
      const { dropped } = change
      let tellsAll = true
      let left = change

      do {
        if (this.hasChanges || left.roots !== undefined || dropped !== undefined) {
          tellsAll = await this.#writeRecord(left)
        }

        // the roots are no longer new: what is still to be told has all the room beside them
        left = { dropped }
      } while (!tellsAll || this.#removed.size > 0)

      change.onWritten?.()
    })
  }

  /** Makes the last record durable, and all that stands before it. */
  async sync (): Promise<void> {
    await this.#syncs.sync(() => ({ ...this.#current, sequence: this.#sequence }))
  }

  /** Begins a new segment, where the current one has blocks. */
  async seal (): Promise<void> {
    await this.#exclusively(async () => this.#rotate())
  }

  /**
   * Makes durable what there is. One more record, which vouches for nothing new, then lets the roots stand in the log
   * twice, and leaves nothing to hash when the store is opened again.
   *
   * @returns whether the log is whole, so that nothing more is written to it
   */
  async close (): Promise<boolean> {
    try {
      if (this.#syncs.isBroken) {
        return false
      }

      await this.record()
      await this.sync()

      await this.#exclusively(async () => {
        if (!this.#isClosed) {
          await this.#writeRecord({})
        }

        await this.#appender.trim()
        this.#refuseMore()
      })

      return true
    } finally {
      this.#refuseMore()
      await this.#syncs.sealed()
      await this.#current.file.close()
    }
  }

  async #exclusively <T> (work: () => Promise<T>): Promise<T> {
    return this.#mutex(async () => {
      this.#syncs.requireWhole()

      try {
        return await work()
      } catch (err) {
        if (err instanceof StoreStateError) {
          // two write here: a process loses its lock, and cannot know, when it closes any descriptor of the lock's file
          this.#syncs.refuse(err)
        }

        throw err
      }
    })
  }

  #isFull (key: Uint8Array, data: Uint8Array): boolean {
    const { end } = this.#appender

    return end > emptySegmentBytes && end + headBytes(key, data.byteLength) + data.byteLength > this.#options.segmentBytes
  }

  /** A user's block that is a copy of a record must not come to stand where it would be one. */
  async #keepApart (key: Uint8Array, data: Uint8Array): Promise<void> {
    while (startsAsCommit(key, data) && beginsAsRecordAt(data, { segment: this.#segment, to: this.#appender.end, id: this.#id })) {
      await this.#writeRecord({})
    }
  }

  /**
   * Returns whether it tells of all deletions so far. Else it leaves no segment out: that may have told of some which are still to
   * be told, and what they delete would be back.
   */
  async #writeRecord ({ roots: newRoots, dropped }: RecordChange): Promise<boolean> {
    // a record in this segment says that all segments before are on the disk
    await this.#syncs.sealed()
    this.#syncs.requireWhole()

    const sequence = this.#sequence + 1
    const roots = newRoots ?? this.#roots
    const limits: RecordLimits = newRoots === undefined ? { maxBytes: maxBlockBytes, leastTold: 1 } : { maxBytes: maxPublishedBytes, leastTold: 0 }
    const segment = this.#segment
    const segmentsLeft = (tellsAll: boolean): readonly number[] => dropped === undefined || !tellsAll ? this.#segments : this.#segments.filter(number => !dropped.has(number))

    const { head, told, tellsAll } = await this.#appender.finishRange(async range => {
      const { bytes, ...fitting } = fitRecord(this.#removed, limits, (removed, isAll) => encodeCommit({
        store: this.#store,
        id: this.#id,
        sequence,
        durable: this.#syncs.durable,
        segment,
        ...range,
        previous: this.#previous,
        roots,
        segments: segmentsLeft(isAll),
        removed
      }))
      const section = await recordSection(bytes)
      const head = readHead(section, 0, range.to)

      if (head === undefined) {
        throw new CorruptStoreError('an encoded record is not a section')
      }

      return { ...fitting, section, head }
    })

    this.#sequence = sequence
    this.#isClosed = false
    this.#segments = segmentsLeft(tellsAll)
    this.#roots = roots
    this.#previous = { segment, offset: head.offset }
    this.#coverage.set(segment, {
      length: endOf(head),
      recordOffset: head.offset,
      recordKey: head.key,
      isDamaged: this.#coverage.get(segment)?.isDamaged ?? false,
      seen: endOf(head)
    })
    told.forEach(key => this.#removed.delete(key))

    if (tellsAll) {
      dropped?.forEach(number => this.#coverage.delete(number))
    }

    return tellsAll
  }

  /** @throws {LimitExceededError} where nobody could read a record that names one segment more, or find a segment of the next number */
  async #rotate (): Promise<void> {
    this.#requireNumber()

    if (this.#segments.length >= maxSegments) {
      throw new LimitExceededError(`the pack store has ${maxSegments} segments, which is the maximum: open it with larger segmentBytes`, { path: this.#options.directory })
    }

    if (this.hasChanges) {
      await this.#writeRecord({})
    }

    // nobody cuts anything off a segment once there is a next one: it would count as damaged
    await this.#appender.trim()
    const { segment, file } = await this.#createFile()
    const id = randomBytes(idBytes)
    const head = await encodeSegmentHead({ store: this.#store, segment, id })

    try {
      await this.#options.files.syncDirectory(this.#options.directory)
    } catch (err) {
      await file.close()
      throw err
    }

    await this.#syncs.sealed()
    this.#syncs.seal({ ...this.#current, sequence: this.#sequence })
    this.#segment = segment
    this.#current = this.#claimed(file)
    this.#id = id
    this.#segments = [...this.#segments, segment]
    this.#appender = this.#appenderTo(this.#current, 0)
    this.#appender.appendHead(head)
  }

  #requireNumber (): void {
    if (this.#lastNumber >= maxSegmentNumber) {
      throw new LimitExceededError(`the pack store has used all segment numbers up to ${maxSegmentNumber}: copy it into a new one`, { path: this.#options.directory })
    }
  }

  /**
   * Creates the file of the next segment. A number is never used twice: what a failed attempt left is removed when the store is opened
   * again, and so is what a writer left that lost the store while it began a segment.
   */
  async #createFile (): Promise<{ readonly segment: number, readonly file: OpenFile }> {
    for (;;) {
      this.#requireNumber()
      this.requireOwn()
      const segment = ++this.#lastNumber

      try {
        return { segment, file: await this.#options.files.open(this.#options.segments.path(segment), 'create') }
      } catch (err) {
        // whose file is there may be whose the store is by now
        this.requireOwn()

        if (!isErrorCode(err, 'EEXIST')) {
          throw err
        }
      }
    }
  }

  /** The file of the current segment, as the store's own */
  #claimed (file: OpenFile): WrittenSegment {
    const { segments, claim } = this.#options

    return { file, claim: segmentClaim(claim, file, segments.path(this.#segment)) }
  }

  #appenderTo (target: WrittenSegment, end: number): Appender {
    const { segments, pieceBytes, earlySyncBytes } = this.#options
    const onWritten = earlySyncBytes === undefined ? undefined : earlySync(async () => this.#syncs.syncFile(target), earlySyncBytes)

    return new Appender(target.file, segments.path(this.#segment), end, { claim: target.claim, pieceBytes, onWritten })
  }

  /** Whoever comes once it is closed, as with a block that was being hashed, must not take it for stored. */
  #refuseMore (): void {
    this.#syncs.refuse(closedError(this.#options.directory))
  }
}
