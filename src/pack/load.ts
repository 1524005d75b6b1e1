import { CorruptStoreError } from '../errors.ts'
import { BlockIndex } from './block-index.ts'
import { Catalog, isSame } from './catalog.ts'
import { catchUp } from './catch-up.ts'
import { isAtOrBehind } from './locations.ts'
import { damagedRanges, lastRecord, storeInRecords } from './recover.ts'
import { endOf, maxHeadBytes, readHead } from './section.ts'
import { blocksStart, readSegmentHead } from './segment-head.ts'
import { unlessMissing } from './unless-missing.ts'
import type { Coverage } from './block-index.ts'
import type { Location } from './locations.ts'
import type { DamagedRange, FoundRecord } from './recover.ts'
import type { Segments } from './segments.ts'
import type { AbortOptions } from '../options.ts'

/** A store as its last record and its index tell it */
export interface Loaded {
  readonly store: Uint8Array
  readonly last: FoundRecord
  readonly catalog: Catalog
  /** How far the segments are known, the last one up to its last record */
  readonly coverage: Map<number, Coverage>
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

export interface IndexedBlock {
  readonly key: Uint8Array
  readonly location: Location
}

export interface LoadOptions extends AbortOptions {
  /** Load what there is where the end of the log is missing */
  readonly acceptLoss?: boolean
}

/** A segment that has no record where the index says so */
interface MissedSegment {
  readonly segment: number
  /** How far the index knows it */
  readonly length: number
  /** Whether the index knows a record behind this segment: then what it says of the segment is how that ended */
  readonly isComplete: boolean
}

/**
 * Reads what the store is: its id from a segment, its last record from the last segment that has one which verifies, its
 * blocks from the index and from what the index does not know yet.
 *
 * @param segments - the store's segments
 * @param openIndex - answers undefined where there is no index that can be read
 * @param options - a signal, and whether a loss is accepted
 * @throws {CorruptStoreError} where nothing can be read, or the end of the log is missing
 */
export async function load (segments: Segments, openIndex: (store: Uint8Array) => BlockIndex | undefined, options: LoadOptions = {}): Promise<Loaded> {
  const store = await storeId(segments, await segments.list(), options)
  const index = openIndex(store) ?? BlockIndex.temporary(store)

  try {
    return await loadWith(index, segments, store, options)
  } catch (err) {
    if (!index.isDamaged) {
      throw err
    }

    // it was removed when it was closed; that of a writer stays for its readers
    const another = index.isShared ? undefined : openIndex(store)

    return loadWith(another ?? BlockIndex.temporary(store), segments, store, options)
  }
}

async function loadWith (given: BlockIndex, segments: Segments, store: Uint8Array, options: LoadOptions): Promise<Loaded> {
  let index = given

  try {
    // before the segments are listed: a writer beside us may begin one at any time, and tell the index of it
    const { acknowledged } = index
    const numbers = await segments.list()
    const { coverage: valid, damaged } = await checkCoverage(segments, index)
    let known = valid
    const hidden = damaged.map(missed => ({ ...missed, blocks: [...index.blocksOf(missed.segment)] }))
    const last = await findLast(segments, store, numbers, known ?? new Map(), options)
    const current = new Set(last.record.segments)
    const lost = last.record.sequence < acknowledged ? lostEnd(index, last) : undefined

    if (lost !== undefined && options.acceptLoss !== true) {
      throw new CorruptStoreError('the log ends before what was committed last: put the missing end of it back, or accept the loss with verify({ drop: true })', { path: segments.path(lost.segment) })
    }

    // what an index knows of an end that is gone is of no use
    const isAhead = (known?.get(last.record.segment)?.length ?? 0) > endOf(last.section)

    if (known === undefined || isAhead || [...known.keys()].some(segment => !current.has(segment))) {
      index = emptied(index, store)
      known = new Map()
    }

    const catalog = new Catalog(index, known.size === 0)
    const coverage = await catchUp(segments, store, last, catalog, known, options)
    await addHidden(segments, hidden, { last, coverage }, catalog, options)

    return { store, last, catalog, coverage, lost }
  } catch (err) {
    index.close()
    throw err
  }
}

function lostEnd (index: BlockIndex, { record: { segment }, section }: FoundRecord): LostEnd {
  const offset = endOf(section)
  const segments = [...index.coverage().keys()].filter(number => number >= segment)
  const blocks = segments.flatMap(number => [...index.blocksOf(number)]).filter(({ location }) => isAtOrBehind(location, { segment, offset }))

  return { segment, offset, blocks }
}

function emptied (index: BlockIndex, store: Uint8Array): BlockIndex {
  if (index.isShared) {
    index.close()

    return BlockIndex.temporary(store)
  }

  index.clear()

  return index
}

async function storeId (segments: Segments, numbers: readonly number[], options: AbortOptions): Promise<Uint8Array> {
  for (const number of numbers) {
    try {
      return (await segments.use(number, async file => readSegmentHead(file, segments.path(number)))).store
    } catch (err) {
      if (!(err instanceof CorruptStoreError)) {
        throw err
      }
    }
  }

  for (const number of numbers) {
    const store = await segments.use(number, async file => storeInRecords(file, number, options))

    if (store !== undefined) {
      return store
    }
  }

  throw new CorruptStoreError('no segment can be read', { path: segments.path(numbers[0] ?? 1) })
}

interface CheckedCoverage {
  /**
   * How far the index knows the segments, or undefined where it knows another past than theirs: then it is of no use, as
   * a block that it moved or forgot may stand anywhere.
   */
  readonly coverage: Map<number, Coverage> | undefined
  /** The index may be of another past, or these segments are damaged or cut short */
  readonly damaged: readonly MissedSegment[]
}

async function checkCoverage (segments: Segments, index: BlockIndex): Promise<CheckedCoverage> {
  const coverage = index.coverage()
  const damaged: Array<{ segment: number, length: number }> = []
  let [isOtherPast, lastFound] = [false, 0]

  for (const [number, { length, recordOffset, recordKey }] of coverage) {
    if (recordOffset < 0 || length <= recordOffset) {
      isOtherPast = true
      continue
    }

    const head = new Uint8Array(Math.min(maxHeadBytes, length - recordOffset))
    const count = await unlessMissing(segments.use(number, async file => file.readNow(head, recordOffset)))

    if (count === undefined) {
      // what the index knows of a segment that is missing is all that anybody knows
      continue
    }

    const section = readHead(head.subarray(0, count), 0, recordOffset)

    if (section === undefined || endOf(section) !== length || Buffer.compare(section.key, recordKey) !== 0) {
      isOtherPast = true
      damaged.push({ segment: number, length })
    } else {
      lastFound = Math.max(lastFound, number)
    }
  }

  return { coverage: isOtherPast ? undefined : coverage, damaged: damaged.map(missed => ({ ...missed, isComplete: missed.segment < lastFound })) }
}

/**
 * Takes over from an index which blocks stood in a segment that is damaged or cut short, where the scan has not found
 * them: so it can be told which were lost, and another source asked for them.
 */
async function addHidden (segments: Segments, hidden: ReadonlyArray<MissedSegment & { readonly blocks: readonly IndexedBlock[] }>, { last: { record, section }, coverage }: Pick<Loaded, 'last' | 'coverage'>, catalog: Catalog, options: AbortOptions): Promise<void> {
  for (const { segment, length, isComplete, blocks } of hidden) {
    if (!record.segments.includes(segment)) {
      continue
    }

    const isLast = segment === record.segment
    const { ranges, end } = await segments.use(segment, async file => {
      const end = isLast ? endOf(section) : await file.size()

      return { end, ranges: await damagedRanges(file, await blocksStart(file, segments.path(segment)), end, options) }
    })
    // what stood behind the last record is lost with the log's end, and no longer looked for
    const isCutShort = !isLast && end < length && (isComplete || coverage.get(segment)?.isDamaged !== false)

    if (ranges.length === 0 && !isCutShort) {
      // nothing is damaged: the index is of another past
      continue
    }

    // no block begins before `length` and ends behind it: a record ends there
    ranges.filter(range => range.start < length).forEach(range => { forgetClaimed(range, segment, catalog) })

    const wasThere = (location: Location): boolean => isCutShort || location.offset + location.length <= end

    blocks.filter(({ key, location }) => wasThere(location) && catalog.find(key) === undefined).forEach(({ key, location }) => { catalog.set(key, location) })
  }
}

/** What damage has made of a CID, or of a record, is no block. */
function forgetClaimed ({ claimed }: DamagedRange, segment: number, catalog: Catalog): void {
  if (claimed !== undefined && isSame(catalog.find(claimed.key), { segment, ...claimed })) {
    catalog.set(claimed.key, undefined)
  }
}

async function findLast (segments: Segments, store: Uint8Array, numbers: readonly number[], known: ReadonlyMap<number, Coverage>, options: AbortOptions): Promise<FoundRecord> {
  for (const number of numbers.toReversed()) {
    const found = await segments.use(number, async file => {
      const coverage = known.get(number)
      // a segment that was cut short has its last record before what the index knows
      const from = coverage !== undefined && coverage.length <= await file.size() ? coverage : undefined

      return lastRecord({
        file,
        store,
        segment: number,
        from: from?.recordOffset ?? await blocksStart(file, segments.path(number)),
        knownEnd: from?.length ?? 0
      }, options)
    })

    if (found !== undefined) {
      return found
    }
  }

  throw new CorruptStoreError('no segment has a record that verifies', { path: segments.path(numbers[0]) })
}
