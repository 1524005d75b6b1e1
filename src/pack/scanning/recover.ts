import { pace } from '../../pace.ts'
import { beginningBytes, beginsAsRecordAt, commitMagic, dagCborCode, decodeCommit, isIntact, recordKey } from '../format/record.ts'
import { endOf, maxHeadBytes, readHead } from '../format/section.ts'
import { segmentId } from '../format/segment-head.ts'
import { isRangeIntact } from './range-digest.ts'
import { scan } from './scan.ts'
import type { ScanItem } from './scan.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { CommitRecord } from '../format/record.ts'
import type { Section } from '../format/section.ts'

/** A record and where its section stands */
export interface FoundRecord {
  readonly record: CommitRecord
  readonly section: Section
}

/** Where to look for records */
interface RecordSearch {
  readonly file: OpenFile
  /** Undefined where it is not known yet */
  readonly store: Uint8Array | undefined
  readonly segment: number
  /** Where a section begins */
  readonly from: number
  /** Whether somebody is writing to it, so that it may end within a section */
  readonly isGrowing?: boolean
}

/** The same, for the last one that verifies */
export interface Search extends RecordSearch {
  readonly store: Uint8Array
  /** What stands before is known to be on the disk */
  readonly knownEnd: number
}

/** What is kept of each record while the last one that verifies is looked for: with all named roots, records fill the memory. */
interface Claim extends Pick<CommitRecord, 'from' | 'to' | 'digest' | 'sequence' | 'durable'> {
  /** Where the record's section ends */
  readonly end: number
}

/**
 * Finds the last record of a segment that verifies: one whose bytes are whole, and the ranges of all records since the
 * last one that is known to be on the disk as well.
 */
export async function lastRecord (search: Search, options: AbortOptions): Promise<FoundRecord | undefined> {
  const { file, store, segment } = search
  let claims: readonly Claim[] = await claimsOf(search, options)

  for (let last = await lastSupported(search, claims, options); last >= 0; last = await lastSupported(search, claims, options)) {
    const found = await recordAt(file, store, segment, claims[last].to)

    if (found !== undefined) {
      return found
    }

    // a writer that was opened meanwhile has cut it off
    claims = claims.slice(0, last)
  }

  return undefined
}

async function claimsOf (search: Search, options: AbortOptions): Promise<Claim[]> {
  const claims: Claim[] = []

  for await (const { record: { from, to, digest, sequence, durable }, section } of recordsOf(search, options)) {
    claims.push({ from, to, digest, sequence, durable, end: endOf(section) })
  }

  return claims
}

/**
 * Finds the last claim that is supported, or returns -1. Claims whose ranges lie behind each other share what supports them, so
 * that each is looked at once downwards and once upwards.
 */
async function lastSupported (search: Search, claims: readonly Claim[], options: AbortOptions): Promise<number> {
  for (let last = claims.length - 1; last >= 0;) {
    const chain = await chainBelow(search, claims, last, options)
    const first = last + 1 - chain.length
    let [needed, supported] = [Infinity, -1]

    for (let i = first; i <= last; i++) {
      needed = Math.min(needed, chain[last - i])
      supported = needed <= claims[i].durable ? i : supported
    }

    if (supported >= 0) {
      return supported
    }

    last = first - 1
  }

  return -1
}

/**
 * Follows ranges backwards from a claim, until it is supported or a range is damaged or missing. Returns for each of them
 * which record has to be durable for those behind it to stand on it.
 */
async function chainBelow ({ file, knownEnd }: Search, claims: readonly Claim[], last: number, options: AbortOptions): Promise<number[]> {
  const chain: number[] = []

  for (let i = last; i >= 0; i--) {
    await pace(options)
    const { from, end, sequence } = claims[i]
    const isWhole = end <= knownEnd || await isRangeIntact(file, claims[i], options)
    const isKnown = end <= knownEnd || (isWhole && from <= knownEnd)
    const needed = isKnown ? -1 : sequence - (isWhole ? 1 : 0)
    chain.push(needed)

    if (!isWhole || needed <= claims[last].durable || claims[i - 1]?.end !== from) {
      break
    }
  }

  return chain
}

/** All records from a section of a segment on, whether they verify or not. */
export async function * recordsOf ({ file, store, segment, from, isGrowing }: RecordSearch, options: AbortOptions): AsyncGenerator<FoundRecord> {
  for await (const batch of scan(file, from, await file.size(), { ...options, isGrowing })) {
    for (const found of batch) {
      await pace(options)
      const record = await readRecord(file, store, segment, found)

      if (record !== undefined) {
        yield record
      }
    }
  }
}

/** Reads the record at a place, where one stands there. */
export async function recordAt (file: OpenFile, store: Uint8Array, segment: number, offset: number): Promise<FoundRecord | undefined> {
  const window = new Uint8Array(maxHeadBytes + beginningBytes)
  const bytes = window.subarray(0, file.readNow(window, offset))
  const section = readHead(bytes, 0, offset)

  return section === undefined
    ? undefined
    : readRecord(file, store, segment, { kind: 'section', section, start: bytes.subarray(section.dataOffset - offset), data: undefined })
}

/**
 * Reads the record in a section, where it is one and stands at its place in its segment: blocks of users may hold copies of
 * records, and what was made to look like one.
 *
 * @param file - the segment
 * @param store - the store's id; undefined where it is not known yet
 * @param segment - the segment's number
 * @param found - a section of it
 */
export async function readRecord (file: OpenFile, store: Uint8Array | undefined, segment: number, found: ScanItem): Promise<FoundRecord | undefined> {
  if (found.kind === 'gap' || !startsAsCommit(found.section.key, found.start)) {
    return
  }

  const { section, start } = found

  if (!beginsAsRecordAt(start, { segment, to: section.offset, id: await segmentId(file) })) {
    return
  }

  const data = new Uint8Array(section.dataLength)
  file.readNow(data, section.dataOffset)
  const record = Buffer.compare(await recordKey(data), section.key) === 0 ? decodeCommit(data) : undefined

  if (record === undefined || (store !== undefined && Buffer.compare(record.store, store) !== 0)) {
    return
  }

  // the section is a view into the scan's buffer
  return { record, section: { ...section, key: section.key.slice() } }
}

/** A part of a segment that no section stands in which is what its CID says */
export interface DamagedRange {
  readonly start: number
  readonly end: number
  /** What the bytes say that they are */
  readonly claimed?: { readonly key: Uint8Array, readonly offset: number, readonly length: number }
}

export async function damagedRanges (file: OpenFile, start: number, end: number, options: AbortOptions): Promise<DamagedRange[]> {
  const ranges: DamagedRange[] = []

  for await (const batch of scan(file, start, end, { ...options, withData: true })) {
    for (const found of batch) {
      if (found.kind === 'gap') {
        ranges.push({ start: found.offset, end: found.offset + found.length })
      } else if (found.data === undefined || !isIntact(found.section.key, found.data)) {
        const { section } = found
        ranges.push({ start: section.offset, end: endOf(section), claimed: { key: section.key.slice(), offset: section.dataOffset, length: section.dataLength } })
      }
    }
  }

  return ranges
}

/** Whether a block may be a commit record; only dag-cbor is. */
export function startsAsCommit (key: Uint8Array, bytes: Uint8Array): boolean {
  return key[0] === dagCborCode && Buffer.compare(bytes.subarray(0, commitMagic.byteLength), commitMagic) === 0
}

/** The id of the store whose records a segment has: its head says it too, but may be damaged. */
export async function storeInRecords (file: OpenFile, segment: number, options: AbortOptions): Promise<Uint8Array | undefined> {
  const first = await recordsOf({ file, store: undefined, segment, from: 0 }, options).next()

  return first.done === true ? undefined : first.value.record.store
}
