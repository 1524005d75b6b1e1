import { clearTimeout, setTimeout } from 'node:timers'
import { mayContainUnindexed } from '../block-index/catch-up.ts'
import { closedError } from '../files/closed-error.ts'
import { isDiskFull } from '../files/error-code.ts'
import { keyOf } from '../format/section.ts'
import { GcProtectedSet } from './gc-protected-set.ts'
import { IncomingBlocks } from './incoming-blocks.ts'
import { IndexUpdates } from './index-updates.ts'
import type { LogWriter, RecordChange } from './log-writer.ts'
import type { PutOptions } from '../../options.ts'
import type { IndexOverlay } from '../block-index/index-overlay.ts'
import type { Loaded, LostEnd } from '../block-index/load.ts'
import type { Lock } from '../files/files.ts'
import type { Location } from '../format/locations.ts'
import type { Claim } from '../format/store-file.ts'
import type { Settings } from '../options.ts'
import type { Segments } from '../segments/segments.ts'
import type { EndsOptions, Session } from '../session.ts'
import type { CID } from 'multiformats/cid'

/** What `openWriter` has made ready */
export interface WriterParts {
  readonly segments: Segments
  readonly loaded: Loaded
  readonly log: LogWriter
  readonly lock: Lock
  readonly claim: Claim
  readonly settings: Settings
}

/**
 * A store that is open for writing: the log, the overlay of what stands in it, and the lock.
 */
export class WriterSession implements Session {
  readonly segments: Segments
  readonly overlay: IndexOverlay
  readonly log: LogWriter
  readonly protectedBlocks: GcProtectedSet
  readonly store: Uint8Array
  readonly lost: LostEnd | undefined
  readonly #lock: Lock
  readonly #claim: Claim
  readonly #settings: Settings
  readonly #incoming: IncomingBlocks
  readonly #index: IndexUpdates
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor ({ segments, loaded, log, lock, claim, settings }: WriterParts) {
    this.segments = segments
    this.overlay = loaded.overlay
    this.log = log
    this.store = loaded.store
    this.lost = loaded.lost
    this.protectedBlocks = new GcProtectedSet(log.position)
    this.#lock = lock
    this.#claim = claim
    this.#settings = settings
    this.#index = new IndexUpdates(this.overlay, log, async change => this.record(change))
    this.#incoming = new IncomingBlocks({
      segments,
      overlay: this.overlay,
      log,
      protectedBlocks: this.protectedBlocks,
      makeRoom: async () => this.makeRoom(),
      onStored: (key, location) => { this.#noteStored(key, location) }
    })
  }

  get roots (): ReadonlyMap<string, Uint8Array> {
    return this.log.roots
  }

  find (key: Uint8Array): Location | undefined {
    if (this.#isClosed) {
      throw closedError(this.segments.directory)
    }

    return this.overlay.find(key)
  }

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

  mayContainUnindexed (): boolean {
    const { segments, coverage, position } = this.log

    return mayContainUnindexed(segments.filter(segment => segment !== position.segment || coverage.has(segment)), coverage)
  }

  /** See `IncomingBlocks` */
  putNow (cid: CID, bytes: Uint8Array, options: PutOptions): boolean {
    return this.#incoming.putNow(cid, bytes, options)
  }

  /** See `IncomingBlocks` */
  async put (cid: CID, bytes: Uint8Array, options?: PutOptions): Promise<void> {
    await this.#incoming.put(cid, bytes, options)
  }

  /** See `IncomingBlocks` */
  noteDamaged (key: Uint8Array): void {
    this.#incoming.noteDamaged(key)
  }

  async delete (cid: CID): Promise<void> {
    await this.makeRoom()
    const key = keyOf(cid)

    if (this.overlay.find(key) !== undefined) {
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
    this.overlay.set(key, undefined)
    this.#index.flushWhenDue()
  }

  /** Notes where a block stands that the index did not know there. */
  noteFound (key: Uint8Array, location: Location): void {
    this.overlay.set(key, location)
    this.#index.flushWhenDue()
  }

  noteMoved (key: Uint8Array, from: Location, to: Location): void {
    this.protectedBlocks.move(key, from, to)
    this.overlay.set(key, to)
    this.#incoming.noteWhole(key)
    this.#index.flushWhenDue()
  }

  /** Writes a record: what came before it outlives the process. */
  async record (change: RecordChange = {}): Promise<void> {
    await this.log.record(change)

    if (!this.log.hasChanges) {
      this.#unschedule()
    }
  }

  /** Publishes roots. Resolves once they are as safe as the store's durability promises. */
  async publish (roots: ReadonlyMap<string, Uint8Array>): Promise<void> {
    let forget = (): void => {}
    await this.record({ roots, onWritten: () => { forget = this.protectedBlocks.mark(this.log.position) } })

    if (this.#settings.durability === 'commit') {
      await this.log.sync()
      this.#index.tellOfSegment()
    } else {
      this.log.requireOwn()
    }

    forget()
  }

  async sync (): Promise<void> {
    await this.record()
    await this.log.sync()
    this.#index.tellOfSegment()
  }

  /** Writes all that there is into the index, up to a record that is on the disk. */
  async flush (): Promise<void> {
    await this.#index.flush()
  }

  /** See `IndexUpdates` */
  async makeRoom (): Promise<void> {
    await this.#index.makeRoom()
  }

  async close (): Promise<void> {
    try {
      await this.#index.finish()
    } finally {
      await this.#closeAll()
    }
  }

  async #closeAll (): Promise<void> {
    try {
      if (await this.log.close()) {
        this.#index.tell()
        await this.#claim.release()
      }
    } finally {
      // only now: a put that was under way may have set it
      this.#unschedule()
      // and begun to tell the index of it: the log takes no record for that any more
      await this.#index.settled()
      this.#isClosed = true
      this.overlay.close()
      await this.segments.close()
      await this.#claim.close()
      this.#lock.release()
    }
  }

  #noteStored (key: Uint8Array, location: Location): void {
    this.overlay.set(key, location)
    this.#schedule()
    this.#index.flushWhenDue()
  }

  /** The timer keeps the process alive: what was acknowledged is written even if nobody closes the store. */
  #schedule (): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // a log that cannot be written fails the next commit, too
      this.record().catch(() => {})
    }, this.#settings.recordAfterMs)
  }

  #unschedule (): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
