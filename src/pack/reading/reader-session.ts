import path from 'node:path'
import pLimit from 'p-limit'
import { BlockIndex } from '../block-index/block-index.ts'
import { mayContainUnindexed } from '../block-index/catch-up.ts'
import { identify } from '../block-index/identity.ts'
import { load } from '../block-index/load.ts'
import { readChanges } from '../block-index/read-changes.ts'
import { closedError } from '../files/closed-error.ts'
import { unlessMissing } from '../files/unless-missing.ts'
import { endOf } from '../format/section.ts'
import { blocksStart } from '../format/segment-head.ts'
import { lastRecord } from '../scanning/recover.ts'
import { createStore } from '../segments/create-store.ts'
import { isMissingSegment, usePresent } from '../segments/missing-segment.ts'
import { Segments } from '../segments/segments.ts'
import type { AbortOptions } from '../../options.ts'
import type { Loaded, LoadOptions, LostEnd } from '../block-index/load.ts'
import type { Location } from '../format/locations.ts'
import type { CommitRecord } from '../format/record.ts'
import type { Settings } from '../options.ts'
import type { FoundRecord } from '../scanning/recover.ts'
import type { Follower, Session } from '../session.ts'

/**
 * A store that is open for reading, while another process may write to it: whenever something is not found or a root is
 * asked for, it looks for records that came behind the last one it knows.
 */
export class ReaderSession implements Session, Follower {
  readonly segments: Segments
  readonly #directory: string
  readonly #mutex = pLimit(1)
  /** Ends what is being read or loaded, with what whoever waits for it is told */
  readonly #closing = new AbortController()
  /** How many rely on the overlay that there is */
  #holders = 0
  #loaded: Loaded
  #last: FoundRecord
  /** How much of the log was read since all was loaded */
  #readBytes = 0
  /** Whether more came since then than the overlay holds in memory */
  #isOverfull = false

  private constructor (directory: string, segments: Segments, loaded: Loaded) {
    this.segments = segments
    this.#directory = directory
    this.#loaded = loaded
    this.#last = loaded.last
  }

  static async open (directory: string, settings: Settings, options: LoadOptions = {}): Promise<ReaderSession> {
    await createStore.prepare(directory, settings)
    const segments = new Segments(settings.files, directory)

    try {
      const loaded = await loadShared(directory, segments, options)
      await segments.closeOthers(loaded.last.record.segments)

      return new ReaderSession(directory, segments, loaded)
    } catch (err) {
      await segments.close()
      throw err
    }
  }

  get follower (): Follower {
    return this
  }

  get store (): Uint8Array {
    return this.#loaded.store
  }

  get roots (): ReadonlyMap<string, Uint8Array> {
    return this.#last.record.roots
  }

  get overlay (): Loaded['overlay'] {
    return this.#loaded.overlay
  }

  get lost (): LostEnd | undefined {
    return this.#loaded.lost
  }

  find (key: Uint8Array): Location | undefined {
    this.#closing.signal.throwIfAborted()

    try {
      return this.#loaded.overlay.find(key)
    } catch (err) {
      if (this.isUnsure) {
        return undefined
      }

      throw err
    }
  }

  readNow (location: Location): Uint8Array | undefined {
    return this.segments.readNow(location)
  }

  async read (location: Location): Promise<Uint8Array> {
    return this.segments.read(location)
  }

  async ends (): Promise<Map<number, number | undefined>> {
    await this.refresh()
    const { record, section } = this.#last

    return new Map(record.segments.map(segment => [segment, segment === record.segment ? endOf(section) : undefined]))
  }

  /** A writer keeps the index from us, at work or killed at it; or the index is damaged. */
  get isUnsure (): boolean {
    return this.#holders === 0 && this.#loaded.overlay.isUnreadable
  }

  mayContainUnindexed (): boolean {
    return mayContainUnindexed(this.#last.record.segments, this.#loaded.coverage)
  }

  holdOverlay (): () => void {
    this.#holders++

    return () => { this.#holders-- }
  }

  /**
   * Learns what was committed meanwhile.
   *
   * @throws {StoreStateError} where the store was closed, be it meanwhile
   */
  async refresh (): Promise<void> {
    await this.#mutex(async () => {
      this.#closing.signal.throwIfAborted()

      try {
        if (this.isUnsure || !await this.#readNewer()) {
          await this.#reload()
        }
      } catch (err) {
        // nobody but the store itself aborted what closing it ended
        this.#closing.signal.throwIfAborted()
        throw err
      }

      // what has no record yet may be removed and made again under its number, and what a compaction removed takes room
      await this.segments.closeOthers(this.#last.record.segments)
    })
  }

  /** Reads what came behind the last record; or returns false where that is so much that all is to be loaded anew. */
  async #readNewer (): Promise<boolean> {
    return whileSegmentsGo(async () => this.#readSegments((await this.segments.list()).filter(segment => segment >= this.#last.record.segment)))
  }

  /** @throws {CorruptStoreError} where a segment is gone that no record was found to leave out */
  async #readSegments (newer: readonly number[]): Promise<boolean> {
    if (this.#holders === 0 && await this.#isFarBehind(newer)) {
      return false
    }

    const missing = new Map<number, unknown>()

    for (const segment of newer) {
      try {
        await this.#readOn(segment)
      } catch (err) {
        if (!isMissingSegment(err)) {
          throw err
        }

        // what it said that still holds, a later one says again
        missing.set(segment, err)
      }

      // the writer has told the index of it meanwhile, if it can: where it cannot, what is behind the index was read a second
      // time by then, and no more often
      if (this.#holders === 0 && this.#isOverfull && this.#readBytes >= this.#loaded.caughtUpBytes) {
        return false
      }
    }

    if (missing.size > 0) {
      throwUnlessLeftOut(missing, this.#last.record)
    }

    return true
  }

  /** Moves what was read into a temporary file, where it is too much for memory. */
  async #makeRoom (): Promise<void> {
    const { overlay, coverage } = this.#loaded

    if (overlay.isDue) {
      this.#isOverfull = true
      await overlay.write(coverage, this.#closing)
    }
  }

  /** Whether the index has much of what is newer already, so that loading it anew saves reading that. */
  async #isFarBehind (newer: readonly number[]): Promise<boolean> {
    const { record: { segment }, section } = this.#last
    const end = endOf(section)

    // most often there is little, and the index need not be asked
    if (newer.at(-1) === segment && (await unlessMissing(this.segments.use(segment, async file => file.size())) ?? 0) <= end + maxBehindBytes) {
      return false
    }

    return this.#loaded.overlay.bytesBehind({ segment, offset: end }) > maxBehindBytes
  }

  async close (): Promise<void> {
    this.#closing.abort(closedError(this.#directory))

    // an index that is being opened meanwhile would stay open
    await this.#mutex(async () => {
      try {
        this.#loaded.overlay.close()
      } finally {
        await this.segments.close()
      }
    })
  }

  async #readOn (segment: number): Promise<void> {
    const { store, overlay, coverage } = this.#loaded
    const known = segment === this.#last.record.segment ? endOf(this.#last.section) : 0

    await usePresent(this.segments, segment, async file => {
      const size = await file.size()
      const from = known === 0 ? await blocksStart(file) : known

      if (size <= from) {
        return
      }

      // the writer is at work or was a moment ago: what it wrote before a record can be read when the record can
      const found = await lastRecord({ file, store, segment, from, knownEnd: size, isGrowing: true }, this.#closing)

      if (found !== undefined) {
        const to = endOf(found.section)
        const changes = await readChanges({ file, segment, store, from: known, to, onBatch: async () => this.#makeRoom() }, overlay, this.#closing)
        this.#readBytes += to - from
        const isDamaged = changes.isDamaged || coverage.get(segment)?.isDamaged === true
        this.#last = found
        overlay.leaveOut(leftOutOf(found.record))

        if (changes.coverage !== undefined) {
          coverage.set(segment, { ...changes.coverage, isDamaged })
        }
      }
    })
  }

  async #reload (): Promise<void> {
    const { overlay: { isDamaged }, lost } = this.#loaded
    const loaded = await (isDamaged ? loadAlone(this.segments, this.#closing) : loadShared(this.#directory, this.segments, this.#closing))
    this.#loaded.overlay.close()
    // that the end of the log is missing, nobody but the index knows
    this.#loaded = isDamaged ? { ...loaded, lost } : loaded
    this.#last = loaded.last
    this.#readBytes = 0
    this.#isOverfull = false
  }
}

/** A segment with a higher number is none that was left out: the writer's index may be ahead of this reader. */
function leftOutOf ({ segment: last, segments }: CommitRecord): (segment: number) => boolean {
  const named = new Set(segments)

  return segment => segment < last && !named.has(segment)
}

function throwUnlessLeftOut (missing: ReadonlyMap<number, unknown>, record: CommitRecord): void {
  const isLeftOut = leftOutOf(record)

  for (const [segment, reason] of missing) {
    if (!isLeftOut(segment)) {
      throw reason
    }
  }
}

// they are read twice, in a tenth of a second
const maxBehindBytes = 2 ** 26

async function loadShared (directory: string, segments: Segments, options: LoadOptions = {}): Promise<Loaded> {
  return whileSegmentsGo(async () => load(segments, (await identify(segments, options)).store, store => BlockIndex.read(path.join(directory, 'index.sqlite'), store), options))
}

/** Loads a store by its segments: where its index is damaged, opening it once more may not find that. */
async function loadAlone (segments: Segments, options: AbortOptions): Promise<Loaded> {
  return whileSegmentsGo(async () => load(segments, (await identify(segments, options)).store, () => undefined, options))
}

/**
 * Does what lists the segments and reads them, and does it again where one that counts is gone in between: a writer has
 * compacted, and its last record says so.
 */
async function whileSegmentsGo <T> (work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (attempt === maxAttempts || !isMissingSegment(err)) {
        throw err
      }
    }
  }
}

// those that no record names any more do not count, so that each of these takes a compaction that comes to its end meanwhile
const maxAttempts = 5
