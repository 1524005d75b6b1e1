import { pace } from '../../pace.ts'
import { unlessMissing } from '../files/unless-missing.ts'
import { isAtOrBehind } from '../format/locations.ts'
import { endOf } from '../format/section.ts'
import { blocksStart } from '../format/segment-head.ts'
import { damagedRanges, recordsOf } from '../scanning/recover.ts'
import { isSame } from './index-overlay.ts'
import type { BlockIndex, Coverage } from './block-index.ts'
import type { CheckedCoverage } from './index-coverage.ts'
import type { IndexOverlay } from './index-overlay.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'
import type { DamagedRange, FoundRecord } from '../scanning/recover.ts'
import type { Segments } from '../segments/segments.ts'

/** A log that was read to its last record, into an overlay that knows nothing else */
export interface ReadLog {
  readonly segments: Segments
  readonly store: Uint8Array
  readonly last: FoundRecord
  readonly overlay: IndexOverlay
  readonly coverage: Map<number, Coverage>
}

/**
 * Takes over from the index that was, which blocks stood in segments that are damaged, cut short or missing, where the
 * log does not say it any more: so it can be told which were lost, and another source asked for them.
 */
export async function takeOverLost (log: ReadLog, index: BlockIndex, checked: CheckedCoverage, options: AbortOptions): Promise<void> {
  const { overlay, coverage } = log
  let hasTaken = false

  for (const segment of await suspicious(log, index, checked, options)) {
    const wasThere = await lostPlaces(log, segment, checked, options)

    for (const { key, location } of index.blocksOf(segment)) {
      await pace(options)

      if (overlay.find(key) === undefined && wasThere(location)) {
        overlay.set(key, location)
        hasTaken = true

        if (overlay.isDue) {
          await overlay.write(coverage, options)
        }
      }
    }
  }

  if (hasTaken) {
    await forgetRemoved(log, options)
  }
}

/** Segments that are damaged for all that is known, or do not have every block that the index knows there */
async function suspicious ({ last: { record }, overlay, coverage }: ReadLog, index: BlockIndex, { coverage: known, missed }: CheckedCoverage, options: AbortOptions): Promise<number[]> {
  const found = new Set([...known.keys()].filter(segment => missed.has(segment) || coverage.get(segment)?.isDamaged !== false))

  for (const { key, location: { segment } } of index.blocks()) {
    await pace(options)

    if (!found.has(segment) && overlay.find(key) === undefined) {
      found.add(segment)
    }
  }

  return record.segments.filter(segment => found.has(segment) && known.has(segment))
}

/**
 * Says where in a segment blocks of the index's may have been lost, where they are not found any more. What damage has made
 * of the CIDs of others is no block of the overlay's from here on.
 */
async function lostPlaces ({ segments, last: { record, section }, overlay, coverage }: ReadLog, segment: number, { coverage: known, lastFound }: CheckedCoverage, options: AbortOptions): Promise<(location: Location) => boolean> {
  const isLast = segment === record.segment
  const found = await unlessMissing(segments.use(segment, async file => {
    const end = isLast ? endOf(section) : await file.size()

    return { end, ranges: await damagedRanges(file, await blocksStart(file), end, options) }
  }))
  const { end, ranges } = found ?? { end: 0, ranges: [] }
  const knownLength = known.get(segment)?.length ?? 0

  // no block begins before the end of what was known and ends behind it: a record ends there
  ranges.filter(range => range.start < knownLength).forEach(range => { forgetClaimed(range, segment, overlay) })

  if (found === undefined || segment <= lastFound) {
    // so far the index is of this past, and what it knows there was there
    return () => true
  }

  // it may be of a future that was given up. What stood behind the last record is lost with the log's end, and no longer looked for
  const isCutShort = !isLast && end < knownLength && coverage.get(segment)?.isDamaged !== false

  return ({ offset, length }) => {
    // behind what it knows, an index has nothing but what it took over itself
    const wasLost = offset + length > knownLength

    return isCutShort || wasLost || (ranges.length > 0 && offset + length <= end)
  }
}

/** What damage has made of a CID, or of a record, is no block. */
function forgetClaimed ({ claimed }: DamagedRange, segment: number, overlay: IndexOverlay): void {
  if (claimed !== undefined && isSame(overlay.find(claimed.key), { segment, ...claimed })) {
    overlay.set(claimed.key, undefined)
  }
}

/** What was deleted behind the place where it stood is not lost. */
async function forgetRemoved ({ segments, store, last, overlay }: ReadLog, options: AbortOptions): Promise<void> {
  for (const segment of last.record.segments) {
    await unlessMissing(segments.use(segment, async file => {
      const from = await blocksStart(file)

      for await (const { record, section: { offset } } of recordsOf({ file, store, segment, from }, options)) {
        if (record.sequence <= last.record.sequence) {
          record.removed.filter(key => isBefore(overlay.find(key), { segment, offset })).forEach(key => { overlay.set(key, undefined) })
        }
      }
    }))
  }
}

function isBefore (location: Location | undefined, place: LogPosition): boolean {
  return location !== undefined && !isAtOrBehind(location, place)
}
