import { pace } from '../pace.ts'
import { isSame } from './catalog.ts'
import { maxChanges } from './catch-up.ts'
import { damagedRanges, readRecord } from './recover.ts'
import { scan } from './scan.ts'
import { endOf } from './section.ts'
import { blocksStart } from './segment-head.ts'
import { unlessMissing } from './unless-missing.ts'
import type { BlockIndex, Coverage } from './block-index.ts'
import type { Catalog } from './catalog.ts'
import type { CheckedCoverage } from './index-coverage.ts'
import type { Location } from './locations.ts'
import type { DamagedRange, FoundRecord } from './recover.ts'
import type { Segments } from './segments.ts'
import type { AbortOptions } from '../options.ts'

/** A log that was read to its last record, into a catalog that knows nothing else */
export interface ReadLog {
  readonly segments: Segments
  readonly store: Uint8Array
  readonly last: FoundRecord
  readonly catalog: Catalog
  readonly coverage: Map<number, Coverage>
}

/**
 * Takes over from the index that was, which blocks stood in segments that are damaged, cut short or missing, where the
 * log does not say it any more: so it can be told which were lost, and another source asked for them.
 */
export async function takeOverLost (log: ReadLog, index: BlockIndex, checked: CheckedCoverage, options: AbortOptions): Promise<void> {
  const isLost = new Set<number>()

  for (const [segment, row] of checked.coverage) {
    const wasThere = await lostPlaces(log, segment, row, checked, options)

    if (wasThere === undefined) {
      continue
    }

    for (const { key, location } of index.blocksOf(segment)) {
      await pace(options)

      if (wasThere(location) && log.catalog.find(key) === undefined) {
        isLost.add(segment)
        log.catalog.set(key, location)
      }

      if (log.catalog.size > maxChanges) {
        await log.catalog.write(log.coverage, options)
      }
    }
  }

  if (isLost.size > 0) {
    await forgetRemoved(log, index, checked, options)
  }

  for (const segment of isLost) {
    const covered = log.coverage.get(segment)

    if (covered !== undefined) {
      // so that it is looked at again whenever the index is remade
      log.coverage.set(segment, { ...covered, isDamaged: true })
    }
  }
}

/**
 * Says where in a segment blocks may have been lost; undefined where none were. What damage has made of the CIDs of others
 * is no block of the catalog's any more.
 */
async function lostPlaces ({ segments, last: { record, section }, catalog, coverage }: ReadLog, segment: number, row: Coverage, { missed, lastFound }: CheckedCoverage, options: AbortOptions): Promise<((location: Location) => boolean) | undefined> {
  const isDamaged = coverage.get(segment)?.isDamaged !== false

  if (!record.segments.includes(segment) || (!isDamaged && !missed.has(segment))) {
    return
  }

  const isLast = segment === record.segment
  const found = await unlessMissing(segments.use(segment, async file => {
    const end = isLast ? endOf(section) : await file.size()

    return { end, ranges: await damagedRanges(file, await blocksStart(file, segments.path(segment)), end, options) }
  }))

  if (found === undefined) {
    return () => true
  }

  const { end, ranges } = found
  // what stood behind the last record is lost with the log's end, and no longer looked for. An index that knows no later
  // segment may be of a future that was given up, in which this one went on
  const isCutShort = !isLast && end < row.length && (segment < lastFound || isDamaged)

  // no block begins before the end of what was known and ends behind it: a record ends there
  ranges.filter(range => range.start < row.length).forEach(range => { forgetClaimed(range, segment, catalog) })

  return ({ offset, length }) => {
    // behind what it knows, an index has nothing but what it took over itself
    const wasLost = offset + length > row.length

    return isCutShort || wasLost || (ranges.length > 0 && offset + length <= end)
  }
}

/** What damage has made of a CID, or of a record, is no block. */
function forgetClaimed ({ claimed }: DamagedRange, segment: number, catalog: Catalog): void {
  if (claimed !== undefined && isSame(catalog.find(claimed.key), { segment, ...claimed })) {
    catalog.set(claimed.key, undefined)
  }
}

/** What was deleted since the index was written is not lost. */
async function forgetRemoved ({ segments, store, last: { record, section }, catalog }: ReadLog, index: BlockIndex, { coverage }: CheckedCoverage, options: AbortOptions): Promise<void> {
  for (const segment of record.segments) {
    await unlessMissing(segments.use(segment, async file => {
      const from = coverage.get(segment)?.length ?? 0
      const end = segment === record.segment ? endOf(section) : await file.size()

      for await (const batch of scan(file, from === 0 ? await blocksStart(file, segments.path(segment)) : from, end, options)) {
        for (const found of batch) {
          const removed = (await readRecord(file, store, segment, found))?.record.removed ?? []

          removed.filter(key => catalog.find(key) !== undefined && isSame(catalog.find(key), index.find(key))).forEach(key => { catalog.set(key, undefined) })
        }
      }
    }))
  }
}
