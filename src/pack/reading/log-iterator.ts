import { CorruptStoreError } from '../../errors.ts'
import { integerOption } from '../../options.ts'
import { pace } from '../../pace.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { isErrorCode } from '../files/error-code.ts'
import { keyNumber } from '../format/key-text.ts'
import { cidOfKey } from '../format/section.ts'
import { missingSegment } from '../segments/missing-segment.ts'
import { findNewest, isUnsure } from '../session.ts'
import { listBlocks } from './list-blocks.ts'
import { SegmentScan } from './segment-scan.ts'
import type { BlockBatch } from './block-batch.ts'
import type { SegmentPart } from './list-blocks.ts'
import type { AbortOptions } from '../../options.ts'
import type { IndexedBlock } from '../block-index/block-index.ts'
import type { IndexOverlay } from '../block-index/index-overlay.ts'
import type { OpenFile } from '../files/files.ts'
import type { Location } from '../format/locations.ts'
import type { Session } from '../session.ts'
import type { CID } from 'multiformats/cid'

/** Options of `scan`. */
export interface ScanBlocksOptions extends AbortOptions {
  /** Bytes that are read at once; 1 MiB by default */
  readonly readBytes?: number
}

/**
 * The CIDs of all blocks that a store has, in the order in which they stand; of a segment that is damaged, those that only the
 * index finds come last.
 *
 * @throws {CorruptStoreError} behind all others, where blocks may stand that neither the index nor a scan finds
 */
export async function * liveBlocks (session: Session, { signal }: AbortOptions): AsyncGenerator<CID> {
  const log = new LogIterator(session)

  for await (const { file, part } of log.parts()) {
    const expected = await log.expectedIn(part.segment, { signal })
    let reached = 0

    for await (const listed of listBlocks(file, part, { signal })) {
      for (const block of listed) {
        if (log.isThere(block) || (isUnsure(session) && log.isThere(block, await findNewest(session, block.key)))) {
          reached++
          yield cidOfKey(block.key)
        }
      }
    }

    if (reached < expected) {
      for (const block of await hiddenBlocks(session, file, part, { signal })) {
        if (log.isThere(block) || (isUnsure(session) && log.isThere(block, await findNewest(session, block.key)))) {
          yield cidOfKey(block.key)
        }
      }
    }
  }

  if (session.mayContainUnindexed()) {
    throw new CorruptStoreError('a damaged segment may contain more blocks, all others were listed; run verify()', { path: session.segments.directory })
  }
}

/**
 * The blocks of a part of a segment that a scan does not find, since what stands before them is damaged, be it one bit of a CID's
 * codec: the index knows where they are.
 */
async function hiddenBlocks (session: Session, file: OpenFile, part: SegmentPart, options: AbortOptions): Promise<IndexedBlock[]> {
  const { segment, from, end = Infinity } = part
  const found = new Map<number, number>()

  for await (const listed of listBlocks(file, part, options)) {
    for (const { key, location } of listed) {
      const known = session.find(key) ?? (isUnsure(session) ? await findNewest(session, key) : undefined)

      if (isSame(known, location)) {
        found.set(location.offset, keyNumber(key))
      }
    }
  }

  return withOverlay(session, async overlay => overlay.hold(async () => {
    const hidden: IndexedBlock[] = []

    for (const block of overlay.blocksOf(segment)) {
      await pace(options)
      const { key, location: { offset } } = block

      if (offset >= from && offset < end && found.get(offset) !== keyNumber(key)) {
        hidden.push(block)
      }
    }

    return hidden
  }))
}

/** A reader's overlay may be exchanged for another one at any time, unless it is held; and is where its index cannot be read. */
async function withOverlay <T> (session: Session, work: (overlay: IndexOverlay) => Promise<T>): Promise<T> {
  try {
    return await withHeld(session, work)
  } catch (err) {
    if (!isUnsure(session)) {
      throw err
    }

    await session.follower?.refresh()

    return withHeld(session, work)
  }
}

async function withHeld <T> (session: Session, work: (overlay: IndexOverlay) => Promise<T>): Promise<T> {
  const letGo = session.follower?.holdOverlay()

  try {
    return await work(session.overlay)
  } finally {
    letGo?.()
  }
}

/** All blocks that stand in the log, whether the store looks for them there or not. */
export async function * loggedBlocks (session: Session, { readBytes = 2 ** 20, signal }: ScanBlocksOptions): AsyncGenerator<BlockBatch> {
  const { store, segments } = session
  integerOption('readBytes', readBytes, 1, 2 ** 26)

  for await (const { file, part: { segment, from, end } } of new LogIterator(session).parts()) {
    const scan = await SegmentScan.open({ file, path: segments.path(segment), segment, store, from, end: end ?? await file.size() }, readBytes)

    // in this generator itself: to hand a batch on from another one took a third of the time that its read takes
    while (!scan.isAtEnd) {
      const turn = pace({ signal })

      if (turn !== undefined) {
        await turn
      }

      const next = scan.next()
      const batch = next instanceof Promise ? await next : next

      if (batch.length > 0) {
        yield batch
      }
    }
  }
}

/**
 * The log, part by part: first all that there is, and where something of that was missed, whatever came behind it, as
 * compaction moves blocks there.
 */
class LogIterator {
  readonly #session: Session
  /** Where each segment ended when it was given */
  readonly #ends = new Map<number, number | undefined>()
  #isMissed = false
  /** How many blocks the store looks for in each segment, since `#ends` was last brought up to date */
  #counts: ReadonlyMap<number, number> | undefined

  constructor (session: Session) {
    this.#session = session
  }

  /** Whether the store looks for a block there. Where it does so elsewhere by now, that is given as well. */
  isThere ({ key, location }: IndexedBlock, known: Location | undefined = this.#session.find(key)): boolean {
    if (isSame(known, location)) {
      return true
    }

    this.#isMissed ||= known !== undefined

    return false
  }

  /**
   * How many blocks there are to be found in a segment of which a part is given: perhaps more, and never fewer, if it is asked before
   * they are looked for.
   */
  async expectedIn (segment: number, options: AbortOptions): Promise<number> {
    this.#counts ??= await withOverlay(this.#session, async overlay => overlay.blockCounts(options))

    return this.#counts.get(segment) ?? 0
  }

  /** Each part is open until the next one is asked for. */
  async * parts (): AsyncGenerator<{ readonly file: OpenFile, readonly part: SegmentPart }> {
    do {
      this.#isMissed = false
      this.#counts = undefined

      for (const part of await this.#next()) {
        const file = await openUnlessRemoved(this.#session, part.segment)

        if (file === undefined) {
          this.#isMissed = true
          continue
        }

        try {
          yield { file, part }
        } finally {
          await this.#session.segments.release(file)
        }
      }
    } while (this.#isMissed)
  }

  async #next (): Promise<SegmentPart[]> {
    const stretches: SegmentPart[] = []

    for (const [segment, end] of await this.#session.ends()) {
      if (!this.#ends.has(segment) || this.#ends.get(segment) !== end) {
        stretches.push({ segment, from: this.#ends.get(segment) ?? 0, end })
        this.#ends.set(segment, end)
      }
    }

    return stretches
  }
}

/** What stays of a segment that compaction has removed stands in a later one. */
async function openUnlessRemoved (session: Session, segment: number): Promise<OpenFile | undefined> {
  const { segments } = session

  if (segments.foreign.includes(segment)) {
    // one of another store is in its place
    throw missingSegment(segments.path(segment), undefined)
  }

  try {
    return await segments.open(segment)
  } catch (err) {
    if (!isErrorCode(err, 'ENOENT')) {
      throw err
    }

    if (!(await session.ends()).has(segment)) {
      return undefined
    }

    throw missingSegment(segments.path(segment), err)
  }
}
