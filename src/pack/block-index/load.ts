import { CorruptStoreError } from '../../errors.ts'
import { isDatabaseError, unlessDatabaseError } from '../files/database-error.ts'
import { isAtOrBehind } from '../format/locations.ts'
import { endOf } from '../format/section.ts'
import { blocksStart } from '../format/segment-head.ts'
import { lastRecord } from '../scanning/recover.ts'
import { usePresent } from '../segments/missing-segment.ts'
import { BlockIndex } from './block-index.ts'
import { catchUp } from './catch-up.ts'
import { checkCoverage, isIndexOf, isWithoutRecord } from './index-coverage.ts'
import { IndexOverlay } from './index-overlay.ts'
import { LayeredIndex } from './layered-index.ts'
import { takeOverLost } from './lost-blocks.ts'
import type { Coverage, IndexedBlock } from './block-index.ts'
import type { CheckedCoverage } from './index-coverage.ts'
import type { ReadLog } from './lost-blocks.ts'
import type { AbortOptions } from '../../options.ts'
import type { LogPosition } from '../format/record.ts'
import type { FoundRecord } from '../scanning/recover.ts'
import type { Segments } from '../segments/segments.ts'

/** A store as its last record and its index tell it */
export interface Loaded {
  readonly store: Uint8Array
  /** The segments that were there, those that the last record does not name included */
  readonly numbers: readonly number[]
  readonly last: FoundRecord
  readonly overlay: IndexOverlay
  /** How far the segments are known, the last one up to its last record */
  readonly coverage: Map<number, Coverage>
  /** How much of the log was read since the index does not know it */
  readonly caughtUpBytes: number
  /** What was acknowledged and is not in the log any more; undefined where nothing is known to be lost */
  readonly lost: LostEnd | undefined
}

/** The log ends before what was acknowledged. */
export interface LostEnd {
  /** Where it ends */
  readonly segment: number
  readonly offset: number
  /** Blocks that the index knew behind it */
  readonly blocks: readonly IndexedBlock[]
}

export interface LoadOptions extends AbortOptions {
  /** Load what there is where the end of the log is missing */
  readonly acceptLoss?: boolean
}

/**
 * Reads what the store is: its last record from the last segment that has one which verifies, its
 * blocks from the index and from what the index does not know yet.
 *
 * @param segments - the store's segments
 * @param store - its id
 * @param openIndex - returns undefined where there is no index that can be read
 * @param options - a signal, and whether a loss is accepted
 * @throws {CorruptStoreError} where nothing can be read, or the end of the log is missing
 */
export async function load (segments: Segments, store: Uint8Array, openIndex: (store: Uint8Array) => BlockIndex | undefined, options: LoadOptions = {}): Promise<Loaded> {
  const index = openIndex(store) ?? BlockIndex.temporary(store)
  let lost: LostEnd | undefined

  try {
    return await loadWith(index, { segments, store, onLost: end => { lost = end } }, options)
  } catch (err) {
    if (!index.isUnreadable) {
      throw err
    }

    // one that is damaged was removed when it was closed; that of a writer stays for its readers
    const another = index.isShared ? undefined : openIndex(store)

    const loaded = await loadWith(another ?? BlockIndex.temporary(store), { segments, store }, options)

    return { ...loaded, lost: loaded.lost ?? lost }
  }
}

/** What is loaded, and who is told that its end is missing: another index may know nothing of that. */
interface Target extends Pick<ReadLog, 'segments' | 'store'> {
  onLost?(lost: LostEnd): void
}

async function loadWith (index: BlockIndex, { segments, store, onLost }: Target, options: LoadOptions): Promise<Loaded> {
  const base = index.isShared ? new LayeredIndex(index, store) : index

  try {
    // before the segments are listed: a writer beside us may begin one at any time, and tell the index of it
    const { acknowledged } = index
    const numbers = await segments.list()
    const checked = await checkCoverage(segments, index)
    const last = await findLast(segments, store, numbers, checked.isBase ? checked.coverage : new Map(), options)
    const isLost = last.record.sequence < acknowledged

    if (isLost && options.acceptLoss !== true) {
      throw new CorruptStoreError('the log ends before the last commit: restore its end, or accept the loss with verify({ drop: true })', { path: segments.path(last.record.segment) })
    }

    const lost = isLost ? lostEnd(index, last) : undefined

    if (lost !== undefined) {
      onLost?.(lost)
    }

    if (!checked.isBase || !isIndexOf(checked, last)) {
      return await remake(index, checked, { segments, store, numbers, last, lost }, options)
    }

    const overlay = new IndexOverlay(base, checked.coverage.size === 0)
    const coverage = await catchUp(segments, store, last, overlay, checked.coverage, options)

    return { store, numbers, last, overlay, coverage, caughtUpBytes: bytesBetween(checked.coverage, coverage), lost }
  } catch (err) {
    base.close()
    throw err
  }
}

/** Reads all of a log, and makes an index of it in the place of one that is of no use but for what it knows of damaged segments. */
async function remake (index: BlockIndex, checked: CheckedCoverage, { segments, store, numbers, last, lost }: Pick<ReadLog, 'segments' | 'store' | 'last'> & Pick<Loaded, 'numbers' | 'lost'>, options: AbortOptions): Promise<Loaded> {
  const made = remadeBeside(index)
  const own = made ?? BlockIndex.temporary(store)

  try {
    const overlay = new IndexOverlay(own, true)
    const coverage = await catchUp(segments, store, last, overlay, new Map(), options)
    await takeOverLost({ segments, store, last, overlay, coverage }, index, checked, options)
    await overlay.write(coverage, options)

    if (made === undefined) {
      index.close()
    } else if (overlay.size === 0) {
      // else it stays beside the old one, for this session
      unlessDatabaseError(() => { made.takePlace() })
    }

    return { store, numbers, last, overlay, coverage, caughtUpBytes: bytesBetween(new Map(), coverage), lost }
  } catch (err) {
    if (made === undefined) {
      own.close()
    }

    throw err
  }
}

function bytesBetween (known: ReadonlyMap<number, Coverage>, coverage: ReadonlyMap<number, Coverage>): number {
  return [...coverage].reduce((sum, [segment, { length }]) => sum + Math.max(0, length - (known.get(segment)?.length ?? 0)), 0)
}

/** Returns undefined where the index cannot be written. */
function remadeBeside (index: BlockIndex): BlockIndex | undefined {
  if (index.isShared) {
    return
  }

  try {
    return index.remake()
  } catch (err) {
    if (isDatabaseError(err)) {
      return
    }

    throw err
  }
}

function lostEnd (index: BlockIndex, { record: { segment }, section }: FoundRecord): LostEnd {
  const offset = endOf(section)

  return { segment, offset, blocks: blocksFrom(index, { segment, offset }) }
}

/** The blocks that an index knows from a place on; none where it is damaged. */
function blocksFrom (index: BlockIndex, place: LogPosition): IndexedBlock[] {
  try {
    const segments = [...index.coverage().keys()].filter(number => number >= place.segment)

    return segments.flatMap(number => [...index.blocksOf(number)]).filter(({ location }) => isAtOrBehind(location, place))
  } catch (err) {
    if (!index.isDamaged) {
      throw err
    }

    return []
  }
}

async function findLast (segments: Segments, store: Uint8Array, numbers: readonly number[], known: ReadonlyMap<number, Coverage>, options: AbortOptions): Promise<FoundRecord> {
  for (const number of numbers.toReversed()) {
    const found = await usePresent(segments, number, async file => {
      const coverage = known.get(number)
      // a segment that was cut short has its last record before what the index knows
      const from = coverage !== undefined && !isWithoutRecord(coverage) && coverage.length <= await file.size() ? coverage : undefined

      return lastRecord({
        file,
        store,
        segment: number,
        from: from?.recordOffset ?? await blocksStart(file),
        knownEnd: from?.length ?? 0
      }, options)
    })

    if (found !== undefined) {
      return found
    }
  }

  throw new CorruptStoreError('no segment has a valid record', { path: segments.path(numbers[0] ?? 1) })
}
