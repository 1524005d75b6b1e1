import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { CorruptStoreError } from '../../errors.ts'
import { enterStore } from '../../open-stores.ts'
import { warn } from '../../warn.ts'
import { closedError } from '../files/closed-error.ts'
import { isErrorCode } from '../files/error-code.ts'
import { unlessMissing } from '../files/unless-missing.ts'
import { storeOfSegment } from '../format/segment-head.ts'
import { maxSegmentBytes } from '../options.ts'
import { storeInRecords } from '../scanning/recover.ts'
import type { CheckingThreads } from './checking-threads.ts'
import type { Files, OpenFile } from '../files/files.ts'
import type { Hashed } from '../files/read-hashed.ts'
import type { Location } from '../format/locations.ts'

// a system lets a process have some 1,024 open
const maxOpen = 128

// a read of this size from the page cache takes less time than handing it to the thread pool
const smallBytes = 65_536

// twice as many as segments may be told to have, since a new one begins before that
const maxLength = 2 * maxSegmentBytes
// a disk that compresses makes a thousandth of nothing that blocks can be: they differ
const [minSparseBytes, minAllocatedPart] = [2 ** 30, 1024]

interface CachedSegment {
  readonly file: Promise<OpenFile>
  opened: OpenFile | undefined
  readers: number
  /** Whether it is nobody's any more but its readers' */
  isRetired: boolean
}

/**
 * The segments of a store as open files, those used last kept open.
 */
export class Segments {
  readonly files: Files
  readonly directory: string
  readonly #held = new Map<number, CachedSegment>()
  readonly #heldBy = new WeakMap<OpenFile, CachedSegment>()
  readonly #leave: () => void
  /** Which store each segment is of, as far as that was asked for and can be read */
  readonly #owners = new Map<number, string>()
  readonly #warned = new Set<number>()
  #foreign: readonly number[] = []
  #store: string | undefined
  #isClosed = false

  constructor (files: Files, directory: string) {
    this.files = files
    this.directory = directory
    this.#leave = enterStore(realPathOf(directory))
  }

  path (segment: number): string {
    return path.join(this.directory, segmentName(segment))
  }

  /** From here on, segments of other stores are none of ours. */
  belongTo (store: Uint8Array): void {
    this.#store = Buffer.from(store).toString('hex')
  }

  /** The numbers of the store's segments that are there, ascending: those whose head is damaged are among them, those of other stores not */
  async list (): Promise<number[]> {
    const names = await this.files.list(this.directory)
    const numbers = names.map(segmentNumber).filter(number => number !== undefined).sort((a, b) => a - b)
    const foreign = new Set<number>()

    for (const number of this.#store === undefined ? [] : numbers) {
      const owner = this.#owners.get(number) ?? await this.ownerOf(number)

      if (owner !== undefined && owner !== this.#store) {
        foreign.add(number)
        this.#warnOfForeign(number)
      }
    }

    this.#foreign = [...foreign]

    return foreign.size === 0 ? numbers : numbers.filter(number => !foreign.has(number))
  }

  /** The numbers of the segments of other stores, ascending, as of the last `list()` */
  get foreign (): readonly number[] {
    return this.#foreign
  }

  /** Which store a segment is of, in hexadecimal digits; undefined where its head cannot be read, or it is gone. */
  async ownerOf (segment: number): Promise<string | undefined> {
    const known = this.#owners.get(segment)
    const owner = known ?? await unlessMissing(this.use(segment, async file => storeOfSegment(file)))

    if (owner !== undefined) {
      this.#owners.set(segment, owner)
    }

    return owner
  }

  async #isOwn (segment: number): Promise<boolean> {
    await this.#close(segment)
    const owner = await this.ownerOf(segment) ?? await this.use(segment, async file => storeInRecords(file, segment, {}))
    this.#owners.delete(segment)

    return owner === undefined || typeof owner === 'string' ? owner === this.#store : Buffer.from(owner).toString('hex') === this.#store
  }

  /** Says once of a segment of another store that it is there. */
  #warnOfForeign (segment: number): void {
    if (!this.#warned.has(segment)) {
      this.#warned.add(segment)
      warn('DAGFS_FOREIGN_SEGMENT', `${this.path(segment)} is a segment of another pack store: it is neither read nor removed; move it away`)
    }
  }

  /**
   * Gives an open segment, which stays open until it is released.
   *
   * @throws {Error} with code ENOENT where the segment is not there
   * @throws {CorruptStoreError} where it is a directory
   * @throws {StoreStateError} where the store was closed, be it meanwhile
   */
  async open (segment: number): Promise<OpenFile> {
    this.#requireOpen()
    const held = this.#hold(segment)
    held.readers++

    try {
      const file = await held.file
      held.opened = file
      this.#heldBy.set(file, held)
    } catch (err) {
      held.readers--
      throw this.#named(segment, err)
    }

    if (this.#isClosed) {
      await this.release(held.opened)
    }

    this.#requireOpen()

    return held.opened
  }

  async release (file: OpenFile): Promise<void> {
    const held = this.#heldBy.get(file)

    if (held !== undefined) {
      held.readers--
      await (held.isRetired ? closeUnread(held) : this.#closeOldest())
    }
  }

  async use <T> (segment: number, work: (file: OpenFile) => Promise<T>): Promise<T> {
    const file = await this.open(segment)

    try {
      return await work(file)
    } finally {
      await this.release(file)
    }
  }

  /** Reads bytes at once where the segment is open and they are few. */
  readNow ({ segment, offset, length }: Location): Uint8Array | undefined {
    const held = this.#held.get(segment)

    if (held?.opened === undefined || length > smallBytes) {
      return
    }

    const bytes = new Uint8Array(length)

    return whole(bytes, held.opened.readNow(bytes, offset), this.path(segment))
  }

  async read (location: Location): Promise<Uint8Array> {
    return this.use(location.segment, async file => this.#read(file, location))
  }

  /** Reads bytes with their hash, in a thread where that is the faster way. */
  async readHashed (location: Location, threads: CheckingThreads): Promise<Hashed> {
    return this.use(location.segment, async file => threads.read(file, location, async () => this.#read(file, location)))
  }

  /** Closes all files but those of some segments: what was removed takes room on the disk until it is closed. */
  async closeOthers (numbers: readonly number[]): Promise<void> {
    const kept = new Set(numbers)

    for (const segment of [...this.#held.keys()].filter(number => !kept.has(number))) {
      await this.#close(segment)
    }
  }

  /** Closes files that others have replaced or removed, as somebody does who puts a segment back. Returns whether there was one. */
  async closeReplaced (numbers: readonly number[] = [...this.#held.keys()]): Promise<boolean> {
    const replaced = numbers.filter(segment => {
      const opened = this.#held.get(segment)?.opened

      return opened !== undefined && !opened.isAt(this.path(segment))
    })

    for (const segment of replaced) {
      await this.#close(segment)
    }

    return replaced.length > 0
  }

  /** Has another file, which is on the disk, take the place of a segment. */
  async replace (segment: number, temporary: string): Promise<void> {
    await this.#close(segment)
    await this.files.rename(temporary, this.path(segment))
    await this.files.syncDirectory(this.directory)
  }

  /** Renames an unknown file so that it is no longer named like a segment, and warns. */
  async setAside (segment: number): Promise<void> {
    await this.#close(segment)
    this.#owners.delete(segment)
    const [from, to] = [this.path(segment), `${this.path(segment)}.aside-${randomBytes(4).toString('hex')}`]
    await this.files.rename(from, to)
    warn('DAGFS_SEGMENT_ASIDE', `${from} is not known to be a superseded segment of this pack store, and was renamed to ${to}: check whether you need its data, then remove it`)
  }

  /** Removes a segment that has no byte. */
  async unlinkEmpty (segment: number): Promise<void> {
    await this.#close(segment)
    await this.files.unlink(this.path(segment))
  }

  /** Removes a segment, if it is still there; a file that is not proved to be one of this store is set aside. */
  async unlink (segment: number): Promise<void> {
    // whatever was known of it, another file may be in its place
    this.#owners.delete(segment)
    const isOwn = await unlessMissing(this.#isOwn(segment))

    if (isOwn === false) {
      await this.setAside(segment)
    } else if (isOwn === true) {
      await this.#close(segment)
      await unlessMissing(this.files.unlink(this.path(segment)))
    }
  }

  /** Closes all files that nobody reads; the last reader of each of the others does so. */
  async close (): Promise<void> {
    this.#isClosed = true
    await this.closeOthers([])
    this.#leave()
  }

  #requireOpen (): void {
    if (this.#isClosed) {
      throw closedError(this.directory)
    }
  }

  async #read (file: OpenFile, { segment, offset, length }: Location): Promise<Uint8Array> {
    // not filled, which takes a twelfth of the time that hashing does: `whole` refuses what was not read
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
    const count = length > smallBytes ? await file.read(bytes, offset) : file.readNow(bytes, offset)

    return whole(bytes, count, this.path(segment))
  }

  #hold (segment: number): CachedSegment {
    const known = this.#held.get(segment)

    if (known !== undefined) {
      // the order of a Map is that of insertion: what was used last stands last
      this.#held.delete(segment)
      this.#held.set(segment, known)

      return known
    }

    const held: CachedSegment = { file: openSegment(this.files, this.path(segment)), opened: undefined, readers: 0, isRetired: false }
    this.#held.set(segment, held)
    held.file.catch(() => {
      this.#held.delete(segment)
    })

    return held
  }

  #named (segment: number, err: unknown): unknown {
    if (isErrorCode(err, 'EISDIR')) {
      return new CorruptStoreError('a directory is named like a segment: move it away', { path: this.path(segment), cause: err })
    }

    if (isErrorCode(err, 'ELOOP')) {
      return new CorruptStoreError('a dangling link is named like a segment: move it away', { path: this.path(segment), cause: err })
    }

    return isErrorCode(err, 'EINVAL') ? new CorruptStoreError('a pipe, device or socket is named like a segment: move it away', { path: this.path(segment), cause: err }) : err
  }

  async #closeOldest (): Promise<void> {
    if (this.#held.size > maxOpen) {
      const oldest = [...this.#held].find(([, held]) => held.readers === 0)

      if (oldest !== undefined) {
        await this.#close(oldest[0])
      }
    }
  }

  async #close (segment: number): Promise<void> {
    const held = this.#held.get(segment)
    this.#held.delete(segment)

    if (held !== undefined) {
      held.isRetired = true
      await closeUnread(held)
    }
  }
}

/** @throws {CorruptStoreError} where it is longer than any segment, or next to nothing of it is on the disk: to read it through may take hours */
async function openSegment (files: Files, name: string): Promise<OpenFile> {
  const file = await files.open(name, 'read')

  try {
    const size = await file.size()

    if (size > maxLength || (size > minSparseBytes && (file.allocated ?? size) < size / minAllocatedPart)) {
      throw new CorruptStoreError(`a file of ${size} bytes, or holes, is named like a segment and is not a segment: move it away`, { path: name })
    }

    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

/** Closes a file that nobody reads, or leaves that to its last reader. */
async function closeUnread (held: CachedSegment): Promise<void> {
  if (held.readers === 0) {
    await (await held.file).close()
  }
}

function realPathOf (directory: string): string {
  try {
    return realpathSync.native(directory)
  } catch {
    // a store that is not on a disk
    return directory
  }
}

/** What the tables of places have room for */
export const maxSegmentNumber = 2 ** 32 - 1

const segmentPattern = /^segment-(\d{8}|[1-9]\d{8,9})\.car$/

export function segmentName (segment: number): string {
  return `segment-${String(segment).padStart(8, '0')}.car`
}

export function segmentNumber (name: string): number | undefined {
  const number = Number(segmentPattern.exec(name)?.[1] ?? NaN)

  return number <= maxSegmentNumber ? number : undefined
}

function whole (bytes: Uint8Array, count: number, file: string): Uint8Array {
  if (count < bytes.byteLength) {
    throw new CorruptStoreError('a segment ends within a block; run verify()', { path: file })
  }

  return bytes
}
