import { unlessMissing } from '../files/unless-missing.ts'
import { endOf, maxHeadBytes, readHead } from '../format/section.ts'
import type { BlockIndex, Coverage } from './block-index.ts'
import type { OpenFile } from '../files/files.ts'
import type { FoundRecord } from '../scanning/recover.ts'
import type { Segments } from '../segments/segments.ts'

/** What an index says of how far it knows the segments, held against these */
export interface CheckedCoverage {
  readonly coverage: ReadonlyMap<number, Coverage>
  /** Segments that have no record where the index says so: they are damaged or cut short there, or it is of another past */
  readonly missed: ReadonlySet<number>
  /** The last segment that has the record which the index says it has, so that the index is of this past up to there; or 0 */
  readonly lastFound: number
  /**
   * Whether the index can be gone on with. Else it is of another past, so that a block that it moved or forgot may stand
   * anywhere; or there is something to read now in front of what it knows, where the order of puts and deletions counts.
   */
  readonly isBase: boolean
}

export async function checkCoverage (segments: Segments, index: BlockIndex): Promise<CheckedCoverage> {
  const coverage = index.coverage()
  const last = Math.max(0, ...coverage.keys())
  const missed = new Set<number>()
  const [short, longer]: [number[], number[]] = [[], []]
  let lastFound = 0

  for (const [segment, row] of coverage) {
    const state = segments.foreign.includes(segment)
      ? undefined
      : await unlessMissing(segments.use(segment, async file => ({ size: await file.size(), hasRecord: hasRecordAt(file, row) })))

    if (state === undefined) {
      // what the index knows of a segment that is missing is all that anybody knows
      continue
    }

    if (state.hasRecord) {
      lastFound = Math.max(lastFound, segment)
    } else if (!isWithoutRecord(row)) {
      missed.add(segment)
    }

    if (state.size < row.length) {
      short.push(segment)
    } else if (state.size > row.seen) {
      longer.push(segment)
    }
  }

  // where it knows what came later, it knew all of a segment that is short
  const isOfThisPast = [...missed].every(segment => short.includes(segment) && segment < lastFound)

  return { coverage, missed, lastFound, isBase: isOfThisPast && longer.every(segment => segment === last) }
}

/** Whether an index knows this log up to some record of it, and nothing behind the last one. */
export function isIndexOf ({ coverage }: CheckedCoverage, { record, section }: FoundRecord): boolean {
  const current = new Set(record.segments)
  const known = [...coverage.keys()]
  const last = Math.max(0, ...known)
  const isAhead = (coverage.get(record.segment)?.length ?? 0) > endOf(section)

  return !isAhead && known.every(segment => current.has(segment)) && record.segments.every(segment => segment > last || coverage.has(segment))
}

export function isWithoutRecord ({ recordKey }: Coverage): boolean {
  return recordKey.byteLength === 0
}

function hasRecordAt (file: OpenFile, { length, recordOffset, recordKey }: Coverage): boolean {
  if (recordOffset < 0 || length <= recordOffset) {
    return false
  }

  const head = new Uint8Array(Math.min(maxHeadBytes, length - recordOffset))
  const section = readHead(head.subarray(0, file.readNow(head, recordOffset)), 0, recordOffset)

  return section !== undefined && endOf(section) === length && Buffer.compare(section.key, recordKey) === 0
}
