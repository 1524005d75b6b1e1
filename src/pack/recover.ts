import { sha256 } from '../hash.ts'
import { pace } from '../pace.ts'
import { digestOfPieces, pieceBytes } from './pieces.ts'
import { commitMagic, dagCborCode, decodeCommit, isIntact, recordKey } from './record.ts'
import { scan } from './scan.ts'
import { endOf } from './section.ts'
import type { OpenFile } from './files.ts'
import type { CommitRecord } from './record.ts'
import type { Found } from './scan.ts'
import type { Section } from './section.ts'
import type { AbortOptions } from '../options.ts'

/** A record and where its section stands */
export interface FoundRecord {
  readonly record: CommitRecord
  readonly section: Section
}

/** Where to look for records */
export interface Search {
  readonly file: OpenFile
  readonly store: Uint8Array
  readonly segment: number
  /** Where a section begins */
  readonly from: number
  /** What stands before is known to be on the disk */
  readonly knownEnd: number
}

/**
 * Finds the last record of a segment that verifies: one whose bytes are whole, and the ranges of all records since the
 * last one that is known to be on the disk as well.
 */
export async function lastRecord (search: Search, options: AbortOptions): Promise<FoundRecord | undefined> {
  const records = await recordsOf(search, options)
  const verified = new Map<number, boolean>()

  for (let i = records.length - 1; i >= 0; i--) {
    if (await isSupported(search, records, i, verified, options)) {
      return records[i]
    }
  }

  return undefined
}

async function isSupported ({ file, knownEnd }: Search, records: readonly FoundRecord[], last: number, verified: Map<number, boolean>, options: AbortOptions): Promise<boolean> {
  const { durable } = records[last].record

  for (let i = last; i >= 0; i--) {
    const { record, section } = records[i]

    if (record.sequence <= durable || endOf(section) <= knownEnd) {
      return true
    }

    const isIntactRange = verified.get(i) ?? await isRangeIntact(file, record, options)
    verified.set(i, isIntactRange)

    if (!isIntactRange) {
      return false
    }

    if (record.from <= knownEnd || record.sequence - 1 <= durable) {
      return true
    }

    if (i === 0 || endOf(records[i - 1].section) !== record.from) {
      return false
    }
  }

  return false
}

/** Whether the bytes that a record vouches for are those that it was written for. */
export async function isRangeIntact (file: OpenFile, { from, to, digest }: CommitRecord, options: AbortOptions): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, to - from))
  const digests: Uint8Array[] = []

  for (let start = from; start < to; start += pieceBytes) {
    await pace(options)
    const piece = buffer.subarray(0, Math.min(pieceBytes, to - start))

    if (await file.read(piece, start) < piece.byteLength) {
      return false
    }

    digests.push(await sha256(piece))
  }

  return Buffer.compare(await digestOfPieces(digests), digest) === 0
}

/** All records from a section of a segment on, whether they verify or not. */
export async function recordsOf ({ file, store, segment, from }: Omit<Search, 'knownEnd'>, options: AbortOptions): Promise<FoundRecord[]> {
  const records: FoundRecord[] = []

  for await (const batch of scan(file, from, await file.size(), options)) {
    for (const found of batch) {
      const record = await readRecord(file, store, segment, found)

      if (record !== undefined) {
        records.push(record)
      }
    }
  }

  return records
}

/**
 * Reads the record in a section, where it is one and stands at its place: blocks of users may hold copies of records.
 *
 * @param file - the segment
 * @param store - the store's id; undefined where it is not known yet
 * @param segment - the segment's number
 * @param found - a section of it
 */
export async function readRecord (file: OpenFile, store: Uint8Array | undefined, segment: number, found: Found): Promise<FoundRecord | undefined> {
  if (found.kind === 'gap' || !startsAsCommit(found.section.key, found.start)) {
    return
  }

  const { section } = found
  const data = new Uint8Array(section.dataLength)
  file.readNow(data, section.dataOffset)
  const record = Buffer.compare(await recordKey(data), section.key) === 0 ? decodeCommit(data) : undefined

  if (record === undefined || !isAtPlace(record, store, segment, section.offset)) {
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

export function isAtPlace (record: CommitRecord, store: Uint8Array | undefined, segment: number, offset: number): boolean {
  return record.segment === segment && record.to === offset && (store === undefined || Buffer.compare(record.store, store) === 0)
}

/** Whether a block may be a commit record; only dag-cbor is. */
export function startsAsCommit (key: Uint8Array, bytes: Uint8Array): boolean {
  return key[0] === dagCborCode && Buffer.compare(bytes.subarray(0, commitMagic.byteLength), commitMagic) === 0
}

/** The id of the store whose records a segment has: its head says it too, but may be damaged. */
export async function storeInRecords (file: OpenFile, segment: number, options: AbortOptions): Promise<Uint8Array | undefined> {
  for await (const batch of scan(file, 0, await file.size(), options)) {
    for (const found of batch) {
      const record = await readRecord(file, undefined, segment, found)

      if (record !== undefined) {
        return record.record.store
      }
    }
  }

  return undefined
}
