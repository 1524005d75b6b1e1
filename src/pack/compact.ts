import { BlockMismatchError, CorruptStoreError } from '../errors.ts'
import { pace } from '../pace.ts'
import { isSame } from './catalog.ts'
import { mayHide } from './catch-up.ts'
import { isErrorCode } from './error-code.ts'
import { missingSegment } from './missing-segment.ts'
import { Ranges } from './range-digest.ts'
import { isIntact } from './record.ts'
import { readRecord } from './recover.ts'
import { scan } from './scan.ts'
import { cidOf } from './section.ts'
import { blocksStart } from './segment-head.ts'
import type { OpenFile } from './files.ts'
import type { Location } from './locations.ts'
import type { Found, ScanOptions } from './scan.ts'
import type { WriterSession } from './writer-session.ts'
import type { AbortOptions } from '../options.ts'

/** Says of a block that the store has whether it stays. */
export type Keep = (key: Uint8Array, location: Location) => boolean

export interface Compacted {
  /** Blocks that are gone, and their bytes */
  readonly freedBlocks: number
  readonly freedBytes: number
}

export interface CompactOptions extends AbortOptions {
  /** The part of a segment that must be garbage for it to be rewritten, from 0 to 1; 0, the default, frees everything */
  readonly minGarbage?: number
}

export interface MoveOptions extends AbortOptions {
  /** Whether bytes that no block could be found in are left out; else they are found to be an error */
  readonly leavesOutGaps?: boolean
}

/** Closes the segment that is being written: what comes from here on goes into one that is in none of these. */
export async function sealAll (session: WriterSession): Promise<number[]> {
  await session.log.seal()

  return session.log.segments.filter(number => number !== session.log.position.segment)
}

/** Writes those of some sealed segments anew of which enough would not stay, and which have no bytes that nobody understands. */
export async function compact (session: WriterSession, sealed: readonly number[], keep: Keep, { minGarbage = 0, signal }: CompactOptions): Promise<Compacted> {
  const worth: number[] = []

  for (const segment of sealed) {
    if (await garbageShare(session, segment, keep, { signal }) > minGarbage) {
      worth.push(segment)
    }
  }

  return worth.length === 0 ? { freedBlocks: 0, freedBytes: 0 } : compactSegments(session, worth, keep, { signal })
}

/**
 * Copies what stays of some sealed segments to the end of the log and then unlinks them. The old segments belong to the
 * store until the record that leaves them out is on the disk, so that a crash at any moment leaves all blocks.
 *
 * @throws {BlockMismatchError} where a block that stays is damaged
 * @throws {CorruptStoreError} where a segment has bytes that no block could be found in, unless they are to be left out
 */
export async function compactSegments (session: WriterSession, numbers: readonly number[], keep: Keep, options: MoveOptions): Promise<Compacted> {
  const dropped = new Set(numbers)
  const freed = { freedBlocks: 0, freedBytes: 0 }
  // nobody puts anything into a sealed segment
  const expected = await session.catalog.blockCounts(options)

  for (const segment of numbers) {
    const hasOlder = session.log.segments.some(other => other < segment && !dropped.has(other))
    let reached = 0

    for await (const { file, found } of sectionsOf(session, segment, { ...options, withData: true })) {
      if (found.kind === 'gap' && options.leavesOutGaps !== true) {
        throw new CorruptStoreError('a segment has bytes that are no block; run verify() to heal or drop them', { path: session.segments.path(segment) })
      }

      await session.makeRoom()
      const fate = await moveSection(session, file, segment, found, keep, hasOlder)
      reached += fate === undefined ? 0 : 1

      if (fate?.stays === false) {
        freed.freedBlocks++
        freed.freedBytes += fate.length
      }
    }

    if (reached < (expected.get(segment) ?? 0)) {
      await moveHidden(session, segment, keep, options)
    }
  }

  await session.record({ dropped })
  await session.flush()

  for (const segment of numbers) {
    await session.segments.unlink(segment)
  }

  return freed
}

/**
 * Copies the blocks of a segment that a scan did not find, since what stands before them is damaged, be it one bit of a CID's
 * codec: the index knows where they are.
 */
async function moveHidden (session: WriterSession, segment: number, keep: Keep, options: AbortOptions): Promise<void> {
  for (const { key, location } of [...session.catalog.blocksOf(segment)]) {
    await pace(options)

    // what was deleted meanwhile, and perhaps put anew, stands elsewhere
    if (!isSame(session.find(key), location)) {
      continue
    }

    if (keep(key, location)) {
      await moveBlock(session, key, location, await session.segments.read(location))
    } else {
      session.noteDropped(key)
    }
  }
}

/**
 * The part of a segment's bytes of blocks that would not stay, from 0 to 1; 1 where there is no block. It is 0 where there are
 * bytes that no block could be found in, or CIDs that no record was written for: a block may stand there that only the segment
 * itself tells of.
 */
async function garbageShare (session: WriterSession, segment: number, keep: Keep, options: AbortOptions): Promise<number> {
  if (mayHide([segment], session.log.coverage)) {
    return 0
  }

  let [live, dead] = [0, 0]
  let ranges: Ranges | undefined
  let isVouchedFor = false

  for await (const { file, found } of sectionsOf(session, segment, options)) {
    ranges ??= (await Ranges.open(file, 0)).ranges
    const record = found.kind === 'gap' ? undefined : await readRecord(file, session.store, segment, found)

    if (found.kind === 'gap' || (record !== undefined && !ranges.end(record.record, record.section))) {
      return 0
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

  if (!isVouchedFor) {
    return 0
  }

  return live + dead === 0 ? 1 : dead / (live + dead)
}

/** What stands in a segment; views into a buffer that the next step overwrites. */
export async function * sectionsOf (session: WriterSession, segment: number, options: ScanOptions): AsyncGenerator<{ file: OpenFile, found: Found }> {
  const file = await openPresent(session, segment)

  try {
    const start = await blocksStart(file)

    for await (const batch of scan(file, start, await file.size(), options)) {
      for (const found of batch) {
        await pace(options)
        yield { file, found }
      }
    }
  } finally {
    await session.segments.release(file)
  }
}

/** @throws {CorruptStoreError} where the segment is not there: nobody but a compaction removes one */
async function openPresent ({ segments }: WriterSession, segment: number): Promise<OpenFile> {
  try {
    return await segments.open(segment)
  } catch (err) {
    throw isErrorCode(err, 'ENOENT') ? missingSegment(segments.path(segment), err) : err
  }
}

/** Copies a section where it is a block that stays. Answers what became of it, where the store looks for a block there. */
async function moveSection (session: WriterSession, file: OpenFile, segment: number, found: Found, keep: Keep, hasOlder: boolean): Promise<{ readonly stays: boolean, readonly length: number } | undefined> {
  if (found.kind === 'gap' || found.data === undefined) {
    return
  }

  const record = await readRecord(file, session.store, segment, found)

  if (record !== undefined) {
    // an older segment may still hold what was deleted here
    record.record.removed
      .filter(key => hasOlder && session.find(key) === undefined)
      .forEach(key => {
        session.log.remove(key)
      })

    return
  }

  const { section, data } = found
  const location = { segment, offset: section.dataOffset, length: section.dataLength }

  if (!isSame(session.find(section.key), location)) {
    return
  }

  if (!keep(section.key, location)) {
    // from here on a put of this block stores it anew
    session.noteDropped(section.key)

    return { stays: false, length: location.length }
  }

  await moveBlock(session, section.key, location, data)

  return { stays: true, length: location.length }
}

async function moveBlock (session: WriterSession, key: Uint8Array, location: Location, data: Uint8Array): Promise<void> {
  if (!isIntact(key, data)) {
    throw new BlockMismatchError('a block is damaged; run verify() to heal or drop it', { cid: cidOf(key) })
  }

  await session.log.append(key, data, () => isSame(session.find(key), location), moved => {
    session.noteMoved(key, moved)
  })
}
