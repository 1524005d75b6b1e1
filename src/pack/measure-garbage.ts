import { isSame } from './catalog.ts'
import { mayHide } from './catch-up.ts'
import { Ranges } from './range-digest.ts'
import { readRecord } from './recover.ts'
import { sectionsOf } from './sections-of.ts'
import type { Location } from './locations.ts'
import type { WriterSession } from './writer-session.ts'
import type { AbortOptions } from '../options.ts'

/** Says of a block that the store has whether it stays. */
export type Keep = (key: Uint8Array, location: Location) => boolean

/** What a segment's blocks take up, and one byte for each of them */
export interface Measured {
  /** Of blocks that stay */
  readonly live: number
  readonly dead: number
}

/**
 * Measures how much of a segment would not stay. Answers undefined where there are bytes that no block could be found in, or CIDs
 * or lengths that no record was written for: a block may stand there that only the segment itself tells of.
 */
export async function measureGarbage (session: WriterSession, segment: number, keep: Keep, options: AbortOptions): Promise<Measured | undefined> {
  if (mayHide([segment], session.log.coverage)) {
    return
  }

  let [live, dead] = [0, 0]
  let ranges: Ranges | undefined
  let isVouchedFor = false

  for await (const { file, found } of sectionsOf(session.segments, segment, options)) {
    ranges ??= (await Ranges.open(file, 0)).ranges
    const record = found.kind === 'gap' ? undefined : await readRecord(file, session.store, segment, found)

    if (found.kind === 'gap' || (record !== undefined && !ranges.end(record.record, record.section))) {
      return
    }

    isVouchedFor = record !== undefined

    if (record === undefined) {
      ranges.add(found.section)
      const { key, dataOffset: offset, dataLength: length } = found.section
      const location = { segment, offset, length }
      const stays = isSame(session.find(key), location) && keep(key, location)
      live += stays ? length + 1 : 0
      dead += stays ? 0 : length + 1
    }
  }

  return isVouchedFor ? { live, dead } : undefined
}
