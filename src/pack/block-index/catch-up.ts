import { unlessMissing } from '../files/unless-missing.ts'
import { endOf } from '../format/section.ts'
import { isWithoutRecord } from './index-coverage.ts'
import { readChanges } from './read-changes.ts'
import type { Coverage } from './block-index.ts'
import type { IndexOverlay } from './index-overlay.ts'
import type { LogChanges } from './read-changes.ts'
import type { AbortOptions } from '../../options.ts'
import type { FoundRecord } from '../scanning/recover.ts'
import type { Segments } from '../segments/segments.ts'

/**
 * Reads what the index does not know yet, and returns how far all segments are known with it.
 */
export async function catchUp (segments: Segments, store: Uint8Array, last: FoundRecord, overlay: IndexOverlay, known: ReadonlyMap<number, Coverage>, options: AbortOptions): Promise<Map<number, Coverage>> {
  const coverage = new Map<number, Coverage>()

  const flushDue = async (): Promise<void> => {
    if (overlay.isDue) {
      await overlay.write(coverage, options)
    }
  }

  for (const segment of last.record.segments) {
    const isLast = segment === last.record.segment
    const before = known.get(segment)
    // its own segment is missing then
    const isForeign = segments.foreign.includes(segment)
    const read = await unlessMissing(segments.use(segment, async file => {
      const to = isLast ? endOf(last.section) : await file.size()

      if (isForeign || (before !== undefined && to <= before.seen)) {
        return
      }

      const from = before === undefined || isWithoutRecord(before) ? 0 : before.length

      return { to, ...await readChanges({ file, segment, store, from, to, onBatch: flushDue }, overlay, options) }
    }))

    coverage.set(segment, read === undefined ? before ?? missing : coveredWith(before, read))
    markCutOff(coverage, segment, read?.previous)
  }

  return coverage
}

const withoutRecord = { length: 0, recordOffset: 0, recordKey: new Uint8Array(0), isDamaged: true }

const missing: Coverage = { ...withoutRecord, seen: -1 }

/** A segment ends with a record: whatever stands behind the last one that was found is damaged. */
function coveredWith (before: Coverage | undefined, { coverage, isDamaged, to }: LogChanges & { readonly to: number }): Coverage {
  const covered = coverage ?? before ?? withoutRecord

  return { ...covered, isDamaged: isDamaged || before?.isDamaged === true || covered.length < to, seen: to }
}

/** A segment that ends before the record which the next one says that it ends with was cut off. */
function markCutOff (coverage: Map<number, Coverage>, segment: number, previous: LogChanges['previous']): void {
  const covered = previous === undefined || previous.segment === segment ? undefined : coverage.get(previous.segment)

  if (previous !== undefined && covered !== undefined && covered.recordOffset < previous.offset) {
    coverage.set(previous.segment, { ...covered, isDamaged: true })
  }
}

/**
 * Whether blocks may stand in segments that could not be found there: a segment is missing, or has bytes that are none.
 */
export function mayContainUnindexed (numbers: readonly number[], coverage: ReadonlyMap<number, Coverage>): boolean {
  return numbers.some(segment => coverage.get(segment)?.isDamaged !== false)
}
