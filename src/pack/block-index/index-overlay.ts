import pLimit from 'p-limit'
import { CorruptStoreError, StoreStateError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isDatabaseError } from '../files/database-error.ts'
import { LocationTable } from './location-table.ts'
import type { Coverage, IndexedBlock, LogKnown } from './block-index.ts'
import type { OverlaidIndex } from './layered-index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'

/** Changes that are held before they go into the index: some 10 MiB */
export const maxChanges = 50_000

/** Changes that are held where the index cannot be written: some 100 MiB */
export const maxHeldChanges = 2 ** 20

// each attempt syncs the log, and may hold the event loop for half a second
const retryAfterMs = 5_000

/** The last attempt to write the index, where it failed */
interface Failure {
  readonly reason: unknown
  /** On the clock of `performance` */
  readonly atMs: number
  /** How many changes there were */
  readonly size: number
}

/**
 * Where every block stands: what the index says, and over it what changed since the index was written.
 */
export class IndexOverlay {
  readonly #index: OverlaidIndex
  readonly #mutex = pLimit(1)
  #changes = new LocationTable()
  /** Changes on their way into the index */
  #flushing = new LocationTable()
  #failure: Failure | undefined
  #isIndexEmpty: boolean
  #isLeftOut: (segment: number) => boolean = () => false

  constructor (index: OverlaidIndex, isIndexEmpty: boolean) {
    this.#index = index
    this.#isIndexEmpty = isIndexEmpty
  }

  /** Whether the index was found to be damaged */
  get isDamaged (): boolean {
    return this.#index.isDamaged
  }

  /** Whether the index could not be read, be it for now or for ever */
  get isUnreadable (): boolean {
    return this.#index.isUnreadable
  }

  /** How many changes the index does not have */
  get size (): number {
    return this.#changes.size + this.#flushing.size
  }

  /**
   * Whether there is so much that the index does not have that it is to be written. Where that failed it is again after a
   * while, or when there is twice as much.
   */
  get isDue (): boolean {
    return this.size > maxChanges && (this.#failure === undefined || this.size >= 2 * this.#failure.size || performance.now() >= this.#failure.atMs + retryAfterMs)
  }

  /** Whether changes come faster than the index takes them, so that nothing may be added before `makeRoom` */
  get isOverfull (): boolean {
    return this.size > 2 * maxChanges && (this.isDue || this.size > maxHeldChanges)
  }

  /**
   * Has the index written where it is due, so that memory has an end.
   *
   * @throws {StoreStateError} where there is as much as may be held, and the index cannot be written
   */
  async makeRoom (flush: () => Promise<void>): Promise<void> {
    if (this.isOverfull && this.isDue) {
      await flush()
    }

    if (this.size > maxHeldChanges && this.#failure !== undefined) {
      throw new StoreStateError('the index cannot be written, and the memory for its changes is full: resolve the cause', { path: this.#index.path, cause: this.#failure.reason })
    }
  }

  find (key: Uint8Array): Location | undefined {
    const location = this.#lookUp(key)

    return location !== undefined && this.#isLeftOut(location.segment) ? undefined : location
  }

  set (key: Uint8Array, location: Location | undefined): void {
    this.#changes.set(key, location)
  }

  /**
   * Has all blocks forgotten that stand in segments which the store no longer consists of: of what is collected no record
   * tells but by leaving its segment out.
   */
  leaveOut (isLeftOut: (segment: number) => boolean): void {
    this.#isLeftOut = isLeftOut
  }

  /**
   * Does something while no changes go into the index: over several turns of the event loop, those on their way would else be
   * seen twice or not at all.
   */
  async hold <T> (work: () => Promise<T>): Promise<T> {
    return this.#mutex(work)
  }

  /** How many blocks the store looks for in each segment; perhaps more, where some are moved or deleted meanwhile, and never fewer. */
  async blockCounts (options: AbortOptions): Promise<Map<number, number>> {
    return this.hold(async () => this.#blockCounts(options))
  }

  async #blockCounts (options: AbortOptions): Promise<Map<number, number>> {
    const counts = await this.#index.blockCounts(options)
    const add = (location: Location | undefined, by: number): void => {
      if (location !== undefined) {
        counts.set(location.segment, (counts.get(location.segment) ?? 0) + by)
      }
    }

    for (const [changes, later] of [[this.#flushing, this.#changes], [this.#changes, undefined]] as const) {
      for (const [key] of changes.entries()) {
        await pace(options)

        if (later?.has(key) !== true) {
          add(this.#isIndexEmpty ? undefined : this.#index.find(key), -1)
          add(this.find(key), 1)
        }
      }
    }

    return new Map([...counts].filter(([segment]) => !this.#isLeftOut(segment)))
  }

  /** How many bytes of the log the index knows behind a place: a writer beside a reader goes on telling it. */
  bytesBehind ({ segment, offset }: LogPosition): number {
    try {
      const behind = [...this.#index.coverage()].filter(([number]) => number >= segment)

      return behind.reduce((sum, [number, { length }]) => sum + Math.max(0, number === segment ? length - offset : length), 0)
    } catch (err) {
      if (isDatabaseError(err) || err instanceof CorruptStoreError || err instanceof StoreStateError) {
        // what it does not say is read from the log
        return 0
      }

      throw err
    }
  }

  /** All blocks that the store looks for in a segment, once each: to be taken at once, or within `hold`. */
  * blocksOf (segment: number): Generator<IndexedBlock> {
    for (const found of this.#index.blocksOf(segment)) {
      // a writer may have told the index of changes that a reader holds as well
      if (!this.#flushing.has(found.key) && !this.#changes.has(found.key) && isSame(this.find(found.key), found.location)) {
        yield found
      }
    }

    for (const [changes, later] of [[this.#flushing, this.#changes], [this.#changes, undefined]] as const) {
      for (const [key, location] of changes.entries()) {
        if (later?.has(key) !== true && location?.segment === segment && isSame(this.find(key), location)) {
          yield { key: key.slice(), location }
        }
      }
    }
  }

  /**
   * Writes the changes so far into the index.
   *
   * @param prepare - makes the log durable up to a record and calls `take` when nothing stands behind that record;
   * returns what is known of the log then
   */
  async flush (prepare: (take: () => void) => Promise<LogKnown>, options: AbortOptions = {}): Promise<void> {
    await this.#mutex(async () => {
      const take = (): void => {
        this.#flushing = this.#changes
        this.#changes = new LocationTable()
      }

      try {
        const known = await prepare(take)
        await this.#index.apply(this.#flushing, known, options)
        this.#isIndexEmpty &&= this.#flushing.size === 0
        this.#failure = undefined
      } catch (err) {
        this.#flushing.setAll(this.#changes)
        this.#changes = this.#flushing

        // an index that cannot be written is late, and is caught up with later
        if (!isDatabaseError(err)) {
          throw err
        }

        this.#failure = { reason: err, atMs: performance.now(), size: this.#changes.size }
      } finally {
        this.#flushing = new LocationTable()
      }
    })
  }

  /**
   * Writes the changes so far into the index, where the log is not written to meanwhile.
   *
   * @param coverage - how far the segments are known with them
   */
  async write (coverage: ReadonlyMap<number, Coverage>, options: AbortOptions): Promise<void> {
    await this.flush(async take => {
      take()

      return { coverage }
    }, options)
  }

  get acknowledged (): number {
    return this.#index.acknowledged
  }

  /** Has the index remember which record was acknowledged last. */
  acknowledge (sequence: number): void {
    try {
      this.#index.acknowledged = sequence
    } catch (err) {
      // as for changes
      if (!isDatabaseError(err)) {
        throw err
      }
    }
  }

  close (): void {
    this.#index.close()
  }

  #lookUp (key: Uint8Array): Location | undefined {
    for (const changes of [this.#changes, this.#flushing]) {
      const location = changes.get(key)

      if (location !== undefined || changes.has(key)) {
        return location
      }
    }

    return this.#isIndexEmpty ? undefined : this.#index.find(key)
  }
}

export function isSame (a: Location | undefined, b: Location | undefined): boolean {
  return a?.segment === b?.segment && a?.offset === b?.offset && a?.length === b?.length
}
