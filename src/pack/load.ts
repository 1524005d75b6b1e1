import { CorruptStoreError } from '../errors.ts'
import { BlockIndex } from './block-index.ts'
import { Catalog, isSame } from './catalog.ts'
import { isErrorCode } from './error-code.ts'
import { readChanges } from './read-changes.ts'
import { damagedRanges, lastRecord, storeInRecords } from './recover.ts'
import { endOf, maxHeadBytes, readHead } from './section.ts'
import { blocksStart, readSegmentHead } from './segment-head.ts'
import type { Coverage } from './block-index.ts'
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
}

/** What an index knows of a segment, and how far */
interface IndexedBlocks {
  readonly blocks: ReturnType<BlockIndex['blocksOf']>
  readonly length: number
}

/** Changes that are held before they go into the index: some 10 MiB */
export const maxChanges = 50_000

/**
 * Reads what the store is: its id from a segment, its last record from the last segment that has one which verifies, its
 * blocks from the index and from what the index does not know yet.
 *
 * @param segments - the store's segments
 * @param openIndex - answers undefined where there is no index that can be read
 * @param options - a signal
 */
export async function load (segments: Segments, openIndex: (store: Uint8Array) => BlockIndex | undefined, options: AbortOptions = {}): Promise<Loaded> {
  const numbers = await segments.list()
  const store = await storeId(segments, numbers, options)
  let index = openIndex(store) ?? BlockIndex.temporary(store)

  try {
    const { coverage: valid, damaged } = await checkCoverage(segments, index)
    let known = valid
    const hidden = new Map(damaged.map(({ segment, length }) => [segment, { blocks: index.blocksOf(segment), length }]))
    const last = await findLast(segments, store, numbers, known ?? new Map(), options)
    const current = new Set(last.record.segments)
    // a log that ends before what the index knows has lost its end, and has gone on since or will
    const isAhead = (known?.get(last.record.segment)?.length ?? 0) > endOf(last.section)

    if (known === undefined || isAhead || [...known.keys()].some(segment => !current.has(segment))) {
      index = emptied(index, store)
      known = new Map()
    }

    const catalog = new Catalog(index, known.size === 0)
    const coverage = await catchUp(segments, store, last, catalog, known, options)
    await addHidden(segments, hidden, last, catalog, options)

    return { store, last, catalog, coverage }
  } catch (err) {
    index.close()
    throw err
  }
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
  /** Segments that have no record where the index says so: it may be of another past, or they are damaged there */
  readonly damaged: ReadonlyArray<{ readonly segment: number, readonly length: number }>
}

async function checkCoverage (segments: Segments, index: BlockIndex): Promise<CheckedCoverage> {
  const coverage = index.coverage()
  const damaged: Array<{ segment: number, length: number }> = []
  let isOtherPast = false

  for (const [number, { length, recordOffset, recordKey }] of coverage) {
    const head = new Uint8Array(Math.min(maxHeadBytes, length - recordOffset))
    const count = await unlessMissing(segments.use(number, async file => file.read(head, recordOffset))) ?? 0

    if (count < head.byteLength) {
      // what the index knows of a segment that is missing or cut short is all that anybody knows
      continue
    }

    const section = readHead(head, 0, recordOffset)

    if (section === undefined || endOf(section) !== length || Buffer.compare(section.key, recordKey) !== 0) {
      isOtherPast = true
      damaged.push({ segment: number, length })
    }
  }

  return { coverage: isOtherPast ? undefined : coverage, damaged }
}

/**
 * Takes over from an index which blocks stood in a segment that is damaged, where the scan has not found them: so it can
 * be told which were lost, and another source asked for them.
 */
async function addHidden (segments: Segments, hidden: ReadonlyMap<number, IndexedBlocks>, { record, section }: FoundRecord, catalog: Catalog, options: AbortOptions): Promise<void> {
  for (const [segment, { blocks, length }] of hidden) {
    if (!record.segments.includes(segment)) {
      continue
    }

    const { ranges, end } = await segments.use(segment, async file => {
      const end = segment === record.segment ? endOf(section) : await file.size()

      return { end, ranges: await damagedRanges(file, await blocksStart(file, segments.path(segment)), end, options) }
    })

    if (ranges.length === 0) {
      // nothing is damaged: the index is of another past
      continue
    }

    ranges.filter(range => range.end <= length).forEach(range => { forgetClaimed(range, segment, catalog) })

    blocks.filter(({ key, location }) => location.offset + location.length <= end && catalog.find(key) === undefined).forEach(({ key, location }) => { catalog.set(key, location) })
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

async function catchUp (segments: Segments, store: Uint8Array, last: FoundRecord, catalog: Catalog, known: ReadonlyMap<number, Coverage>, options: AbortOptions): Promise<Map<number, Coverage>> {
  const coverage = new Map<number, Coverage>()

  const flushFull = async (): Promise<void> => {
    if (catalog.size > maxChanges) {
      await catalog.flush(async take => {
        take()

        return coverage
      }, options)
    }
  }

  for (const segment of last.record.segments) {
    const before = known.get(segment)
    const covered = await unlessMissing(segments.use(segment, async file => {
      const to = segment === last.record.segment ? endOf(last.section) : await file.size()
      const from = before?.length ?? await blocksStart(file, segments.path(segment))

      return readChanges({ file, segment, store, from, to, onBatch: flushFull }, catalog, options)
    })) ?? before

    if (covered !== undefined) {
      coverage.set(segment, covered)
    }
  }

  return coverage
}

/** The blocks of a segment that is not there cannot be read, which verify() tells; the others can. */
async function unlessMissing <T> (work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (err) {
    if (isErrorCode(err, 'ENOENT')) {
      return undefined
    }

    throw err
  }
}
