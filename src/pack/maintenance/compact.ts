import { BlockMismatchError, CorruptStoreError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { mayContainUnindexed } from '../block-index/catch-up.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { isIntact } from '../format/record.ts'
import { cidOfKey } from '../format/section.ts'
import { readRecord } from '../scanning/recover.ts'
import { requirePresent } from '../segments/missing-segment.ts'
import { sectionsOf } from '../segments/sections-of.ts'
import { measureLiveness } from './measure-liveness.ts'
import type { Keep } from './keep.ts'
import type { Measured } from './measure-liveness.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { Location } from '../format/locations.ts'
import type { ScanItem } from '../scanning/scan.ts'
import type { WriterSession } from '../writing/writer-session.ts'

export interface Compacted {
  /** Blocks that are gone, and their bytes */
  readonly freedBlocks: number
  readonly freedBytes: number
}

/** Options of `compact`. */
export interface CompactOptions extends AbortOptions {
  /** The part of a segment that must be garbage for it to be rewritten, from 0 to 1; 0, the default, frees everything */
  readonly minGarbage?: number
}

export interface MoveOptions extends AbortOptions {
  /** Whether another copy of a block may be left in the log; of all, unless it is known better */
  isTwice?(key: Uint8Array): boolean
  /** Whether bytes that no block could be found in are left out; else they are found to be an error */
  readonly leavesOutGaps?: boolean
}

/** Closes the segment that is being written: what comes from here on goes into one that is in none of these. */
export async function sealAll (session: WriterSession): Promise<number[]> {
  await session.log.seal()

  return session.log.segments.filter(number => number !== session.log.position.segment)
}

/**
 * Writes those of some sealed segments anew of which enough would not stay, and which have no bytes that nobody understands. What
 * takes the least room comes first, so that a disk that is full gets room for the rest.
 */
export async function compact (session: WriterSession, sealed: readonly number[], keep: Keep, { minGarbage = 0, signal }: CompactOptions): Promise<Compacted> {
  const [present, isSealed] = [new Set(await session.segments.list()), new Set(sealed)]
  // of one that is known to be missing nothing can be read
  const segments = session.log.segments.filter(segment => present.has(segment) || !mayContainUnindexed([segment], session.log.coverage))
  const { measured, twice } = await measureLiveness(session, segments, keep, { signal })
  const worth = [...measured]
    .filter(([segment, share]) => isSealed.has(segment) && garbageShare(share) > minGarbage)
    .map(([segment, { live }]) => ({ segment, live }))
    .sort((a, b) => a.live - b.live)
  const groups = [worth.filter(({ live }) => live === 0), ...worth.filter(({ live }) => live > 0).map(each => [each])]

  return compactGroups(session, groups.map(group => group.map(({ segment }) => segment)), keep, { signal, isTwice: key => twice.has(key) })
}

/** From 0 to 1; 1 where there is no block */
function garbageShare ({ live, dead }: Measured): number {
  return live + dead === 0 ? 1 : dead / (live + dead)
}

/**
 * Copies what stays of some sealed segments to the end of the log, and unlinks each before the next one is copied, so that it
 * takes room for one at a time.
 *
 * @throws {BlockMismatchError} where a block that stays is damaged
 * @throws {CorruptStoreError} where a segment has bytes that no block could be found in, unless they are to be left out
 */
export async function compactSegments (session: WriterSession, numbers: readonly number[], keep: Keep, options: MoveOptions): Promise<Compacted> {
  return compactGroups(session, numbers.map(number => [number]), keep, options)
}

async function compactGroups (session: WriterSession, groups: readonly number[][], keep: Keep, options: MoveOptions): Promise<Compacted> {
  const freed = { freedBlocks: 0, freedBytes: 0 }
  const wanted = groups.filter(({ length }) => length > 0)
  // nobody puts anything into a sealed segment
  const expected = wanted.length === 0 ? new Map<number, number>() : await session.overlay.blockCounts(options)

  for (const group of wanted) {
    const dropped = new Set(group)

    for (const segment of group) {
      const source = {
        segment,
        hasOlder: session.log.segments.some(other => other < segment && !dropped.has(other)),
        expected: expected.get(segment) ?? 0
      }
      const { freedBlocks, freedBytes } = await moveLive(session, source, keep, options)
      freed.freedBlocks += freedBlocks
      freed.freedBytes += freedBytes
    }

    await removeSegments(session, dropped)
  }

  return freed
}

/**
 * Unlinks segments of which all that stays was copied. They belong to the store until the record that leaves them out is on the
 * disk, so that a crash at any moment leaves all blocks.
 */
async function removeSegments (session: WriterSession, dropped: ReadonlySet<number>): Promise<void> {
  await session.record({ dropped })
  await session.flush()

  for (const segment of dropped) {
    session.log.requireOwn()
    await session.segments.unlink(segment)
  }
}

/** A segment whose blocks are moved */
interface Source {
  readonly segment: number
  /** Whether the store goes on consisting of an older one, which may have what this one's records delete */
  readonly hasOlder: boolean
  /** The store looks for no more blocks there */
  readonly expected: number
}

/** Copies what stays of a segment, and has the rest forgotten. */
async function moveLive (session: WriterSession, source: Source, keep: Keep, options: MoveOptions): Promise<Compacted> {
  const { segment, expected } = source
  let [reached, freedBlocks, freedBytes] = [0, 0, 0]

  for await (const { file, found } of sectionsOf(session.segments, segment, { ...options, withData: true })) {
    if (found.kind === 'gap' && options.leavesOutGaps !== true) {
      throw new CorruptStoreError('a segment contains bytes that are not a block; run verify() to heal or drop them', { path: session.segments.path(segment) })
    }

    await session.makeRoom()
    const fate = await moveSection(session, { ...source, file }, found, keep, options)
    reached += fate === undefined ? 0 : 1

    if (fate?.stays === false) {
      freedBlocks++
      freedBytes += fate.length
    }
  }

  if (reached < expected) {
    await moveHidden(session, segment, keep, options)
  }

  return { freedBlocks, freedBytes }
}

/**
 * Copies the blocks of a segment that a scan did not find, since what stands before them is damaged, be it one bit of a CID's
 * codec: the index knows where they are.
 */
async function moveHidden (session: WriterSession, segment: number, keep: Keep, options: MoveOptions): Promise<void> {
  for (const { key, location } of [...session.overlay.blocksOf(segment)]) {
    await pace(options)

    // what was deleted meanwhile, and perhaps put anew, stands elsewhere
    if (!isSame(session.find(key), location)) {
      continue
    }

    if (keep(key, location)) {
      await moveBlock(session, key, location, await requirePresent(session.segments, segment, session.segments.read(location)))
    } else {
      forget(session, key, options)
    }
  }
}

/** Copies a section where it is a block that stays. Returns what became of it, where the store looks for a block there. */
async function moveSection (session: WriterSession, { file, segment, hasOlder }: Source & { readonly file: OpenFile }, found: ScanItem, keep: Keep, options: MoveOptions): Promise<{ readonly stays: boolean, readonly length: number } | undefined> {
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
    forget(session, section.key, options)

    return { stays: false, length: location.length }
  }

  await moveBlock(session, section.key, location, data)

  return { stays: true, length: location.length }
}

/** Has a block forgotten that does not stay. That its segment is left out says nothing of another copy, which would be the block from then on. */
function forget (session: WriterSession, key: Uint8Array, { isTwice = () => true }: MoveOptions): void {
  if (isTwice(key)) {
    session.removeKey(key)
  } else {
    session.noteDropped(key)
  }
}

async function moveBlock (session: WriterSession, key: Uint8Array, location: Location, data: Uint8Array): Promise<void> {
  if (!isIntact(key, data)) {
    throw new BlockMismatchError('a block is damaged; run verify() to heal or drop it', { cid: cidOfKey(key) })
  }

  await session.log.append(key, data, () => isSame(session.find(key), location), moved => {
    session.noteMoved(key, location, moved)
  })
}
