import * as dagCbor from '@ipld/dag-cbor'
import { concat } from '../../bytes.ts'
import { CorruptStoreError } from '../../errors.ts'
import { decodeSegmentRecord, encodeSegmentRecord, isIntact, recordKey } from './record.ts'
import { cidOfKey, endOf, readHead, readVarint, writeHead } from './section.ts'
import type { SegmentRecord } from './record.ts'
import type { OpenFile } from '../files/files.ts'

// both parts together have some 190 bytes
const maxBytes = 1024

/** A section with its head, for what is written as it is. */
export async function recordSection (bytes: Uint8Array): Promise<Uint8Array> {
  const key = await recordKey(bytes)
  const section = new Uint8Array(5 + key.byteLength + bytes.byteLength)
  const dataStart = writeHead(section, 0, key, bytes.byteLength)
  section.set(bytes, dataStart)

  return section.subarray(0, dataStart + bytes.byteLength)
}

/**
 * What every segment begins with: a CAR header whose root is the record that follows it. A header without roots is
 * refused by many readers, and the roots of what is to come are not known yet.
 */
export async function encodeSegmentHead (record: SegmentRecord): Promise<Uint8Array> {
  const bytes = encodeSegmentRecord(record)
  const header = dagCbor.encode({ roots: [cidOfKey(await recordKey(bytes))], version: 1 })

  return concat([Uint8Array.of(header.byteLength), header, await recordSection(bytes)])
}

/** What a segment begins with, and where that ends */
interface FoundHead extends SegmentRecord {
  readonly end: number
}

/**
 * Reads what a segment begins with, and where its blocks begin.
 *
 * @throws {CorruptStoreError} where it is damaged or no segment
 * @throws {UnsupportedVersionError} where it is of a newer version
 */
export async function readSegmentHead (file: OpenFile, path: string): Promise<FoundHead> {
  const head = await findHead(file)

  if (head === undefined) {
    throw new CorruptStoreError('a segment has an invalid head', { path })
  }

  return head
}

/** Where the blocks of a segment begin; 0 where its head is damaged, so that they have to be looked for. */
export async function blocksStart (file: OpenFile): Promise<number> {
  return (await findHead(file))?.end ?? 0
}

/** The id of the store that a segment is of, in hexadecimal digits; undefined where its head is damaged. */
export async function storeOfSegment (file: OpenFile): Promise<string | undefined> {
  const store = (await findHead(file))?.store

  return store === undefined ? undefined : Buffer.from(store).toString('hex')
}

const ids = new WeakMap<OpenFile, Uint8Array>()

/** The id that each record of a segment repeats; undefined where the segment's head is damaged, or not written yet. */
export async function segmentId (file: OpenFile): Promise<Uint8Array | undefined> {
  const id = ids.get(file) ?? (await findHead(file))?.id

  if (id !== undefined) {
    ids.set(file, id)
  }

  return id
}

async function findHead (file: OpenFile): Promise<FoundHead | undefined> {
  const window = new Uint8Array(maxBytes)
  const bytes = window.subarray(0, file.readNow(window, 0))
  const header = readVarint(bytes, 0, bytes.byteLength)
  const section = header === undefined ? undefined : readHead(bytes, header.end + header.value, 0)

  if (section === undefined || endOf(section) > bytes.byteLength) {
    return
  }

  const data = bytes.subarray(section.dataOffset, endOf(section))
  const record = isIntact(section.key, data) ? decodeSegmentRecord(data) : undefined

  if (record !== undefined && Buffer.compare(await encodeSegmentHead(record), bytes.subarray(0, endOf(section))) === 0) {
    return { ...record, end: endOf(section) }
  }
}
