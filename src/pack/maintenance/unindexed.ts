import { pace } from '../../pace.ts'
import { BlockIndex } from '../block-index/block-index.ts'
import { IndexOverlay, isSame } from '../block-index/index-overlay.ts'
import { keyText } from '../format/key-text.ts'
import { standsAt } from './stands-at.ts'
import type { Keep } from './keep.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'
import type { WriterSession } from '../writing/writer-session.ts'

// some 25 MiB: to write to the file what is soon deleted again takes longer than all else that is done for it
const maxInMemory = 2 ** 18

/** A part of a segment */
interface SegmentRange {
  readonly segment: number
  readonly start: number
  readonly end: number
}

/**
 * Blocks that the store has by its log, and that the index does not know, or looks for where they do not stand. One bit of the index
 * is enough for that; and of a block that was collected, another copy may be left, which is known again when the index is made
 * anew.
 *
 * It is told all that stands in the log, in its order, and holds what the log has not deleted yet.
 */
export class Unindexed {
  readonly #session: WriterSession
  readonly #distrusted: SegmentRange[] = []
  /** Made with the first of them, in a temporary file: there may be as many as were ever deleted */
  #found: IndexOverlay | undefined

  constructor (session: WriterSession) {
    this.#session = session
  }

  /** Takes a block that stands somewhere else than where the store looks for it. */
  async add (key: Uint8Array, location: Location, known: Location | undefined): Promise<void> {
    if (known !== undefined && await standsAt(this.#session, key, known)) {
      return
    }

    this.#found ??= new IndexOverlay(BlockIndex.temporary(this.#session.store), true)
    this.#found.set(key, location)

    if (this.#found.size > maxInMemory && this.#found.isDue) {
      await this.#found.write(new Map(), {})
    }
  }

  /** Takes what a record says that was deleted before it. */
  forget (removed: readonly Uint8Array[]): void {
    for (const key of removed) {
      if (this.#found?.find(key) !== undefined) {
        this.#found.set(key, undefined)
      }
    }
  }

  /** Notes that what stands somewhere may not be what was put there: damage of a CID makes a block of it that nobody has put. */
  distrust (range: SegmentRange): void {
    this.#distrusted.push(range)
  }

  /**
   * Has the store look for them where they stand.
   *
   * @param keep - says which are needed
   * @param removed - what was deleted behind what was told
   * @param options - a signal
   */
  async takeUp (keep: Keep, removed: ReadonlySet<string>, options: AbortOptions): Promise<void> {
    const found = this.#found

    for (const segment of (await found?.blockCounts(options))?.keys() ?? []) {
      for (const { key, location } of found?.blocksOf(segment) ?? []) {
        await pace(options)

        if (!this.#isDistrusted(location) && keep(key, location)) {
          await this.#session.makeRoom()
          await this.#takeUp(key, location, removed)
        }
      }
    }
  }

  close (): void {
    this.#found?.close()
  }

  async #takeUp (key: Uint8Array, location: Location, removed: ReadonlySet<string>): Promise<void> {
    const session = this.#session
    const known = session.find(key)

    // it may have been put again meanwhile
    if ((known !== undefined && await standsAt(session, key, known)) || !await standsAt(session, key, location)) {
      return
    }

    if (isSame(session.find(key), known) && !removed.has(keyText(key))) {
      session.noteFound(key, location)
    }
  }

  #isDistrusted ({ segment, offset }: Location): boolean {
    return this.#distrusted.some(range => range.segment === segment && range.start <= offset && offset < range.end)
  }
}
