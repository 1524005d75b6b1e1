import { mayContainUnindexed } from '../block-index/catch-up.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { Ranges } from '../scanning/range-digest.ts'
import { readRecord } from '../scanning/recover.ts'
import { sectionsOf } from '../segments/sections-of.ts'
import { KeyFilter } from '../writing/key-filter.ts'
import { Unindexed } from './unindexed.ts'
import type { Keep } from './keep.ts'
import type { AbortOptions } from '../../options.ts'
import type { WriterSession } from '../writing/writer-session.ts'

/** What a segment's blocks take up, and one byte for each of them */
export interface Measured {
  /** Of blocks that stay */
  readonly live: number
  readonly dead: number
}

export interface Liveness {
  /** By segment */
  readonly measured: ReadonlyMap<number, Measured>
  /** Blocks of which the log has a copy besides the one that the store looks for; now and then one more */
  readonly twice: KeyFilter
}

/**
 * Measures how much of each segment would not stay, and has the index know all that stays by the log: to be done before anything
 * is removed, for the index is only a cache, in which SQLite does not see every damage. A segment is left out where there are bytes that no
 * block could be found in, or CIDs or lengths that no record was written for: a block may stand there that only the segment itself
 * tells of.
 *
 * @param session - the store
 * @param segments - those that are there, in their order
 * @param keep - asked of the blocks that stand in them
 * @param options - a signal
 */
export async function measureLiveness (session: WriterSession, segments: readonly number[], keep: Keep, options: AbortOptions): Promise<Liveness> {
  return session.log.gatherRemoved(async removed => {
    const { position, coverage } = session.log
    const end = coverage.get(position.segment)?.length ?? 0
    const measured = new Map<number, Measured>()
    const taking = { keep, unindexed: new Unindexed(session), twice: new KeyFilter() }

    try {
      for (const segment of segments) {
        const ofSegment = await measure(session, segment, segment === position.segment ? end : undefined, taking, options)

        if (ofSegment !== undefined && !mayContainUnindexed([segment], coverage)) {
          measured.set(segment, ofSegment)
        }
      }

      await taking.unindexed.takeUp(keep, removed, options)
    } finally {
      taking.unindexed.close()
    }

    return { measured, twice: taking.twice }
  })
}

/** What all segments are measured with */
interface Taking extends Pick<Liveness, 'twice'> {
  readonly keep: Keep
  readonly unindexed: Unindexed
}

async function measure (session: WriterSession, segment: number, end: number | undefined, { keep, unindexed, twice }: Taking, options: AbortOptions): Promise<Measured | undefined> {
  let [live, dead] = [0, 0]
  let ranges: Ranges | undefined
  let isVouchedFor = false
  let isWhole = true

  for await (const { file, found } of sectionsOf(session.segments, segment, { ...options, end })) {
    ranges ??= (await Ranges.open(file, 0)).ranges
    const record = found.kind === 'gap' ? undefined : await readRecord(file, session.store, segment, found)
    isVouchedFor = record !== undefined

    if (record !== undefined) {
      const { start } = ranges

      if (!ranges.end(record.record, record.section)) {
        isWhole = false
        unindexed.distrust({ segment, start, end: record.section.offset })
      }

      unindexed.forget(record.record.removed)
    } else if (found.kind === 'section') {
      ranges.add(found.section)
      const { key, dataOffset: offset, dataLength: length } = found.section
      const location = { segment, offset, length }
      const known = session.find(key)
      const isThere = isSame(known, location)
      const stays = isThere && keep(key, location)
      live += stays ? length + 1 : 0
      dead += stays ? 0 : length + 1

      if (!isThere) {
        await unindexed.add(key, location, known)
      }

      if (!isThere && known !== undefined) {
        twice.add(key)
      }
    } else {
      isWhole = false
    }
  }

  unindexed.distrust({ segment, start: ranges?.start ?? 0, end: Infinity })

  return isVouchedFor && isWhole ? { live, dead } : undefined
}
