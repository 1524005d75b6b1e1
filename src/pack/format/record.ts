import { hash } from 'node:crypto'
import * as dagCbor from '@ipld/dag-cbor'
import { concat } from '../../bytes.ts'
import { UnsupportedVersionError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import { digestOf } from './section.ts'

/**
 * What a commit writes behind its blocks. It vouches for what its segment has since the previous record, or since the
 * segment's beginning.
 */
export interface CommitRecord {
  readonly store: Uint8Array
  /** That of the segment that it stands in */
  readonly id: Uint8Array
  /** Counts from 0, through all segments */
  readonly sequence: number
  /** The sequence of the last record that was known to be on the disk when this one was written */
  readonly durable: number
  /** Where the record stands and what it vouches for: `to` is the record's own offset */
  readonly segment: number
  readonly from: number
  readonly to: number
  /** See `RangeDigest` */
  readonly digest: Uint8Array
  /** Where the record before stands */
  readonly previous: LogPosition | undefined
  /** All named roots */
  readonly roots: ReadonlyMap<string, Uint8Array>
  /** The segments that the store consists of */
  readonly segments: readonly number[]
  /** Keys of the blocks that were deleted since the record before and not put again */
  readonly removed: readonly Uint8Array[]
}

export interface LogPosition {
  readonly segment: number
  readonly offset: number
}

/** What stands first in every segment, and is the root of its CAR header. */
export interface SegmentRecord {
  readonly store: Uint8Array
  readonly segment: number
  /**
   * Drawn when the segment is begun, and repeated by each of its records: whoever made a block that was put before cannot have
   * known it
   */
  readonly id: Uint8Array
}

export const formatVersion = 1
/** Of a store and of a segment. */
export const idBytes = 16

const commitName = 'dagfs-commit'
const segmentName = 'dagfs-segment'
export const dagCborCode = 0x71
const text = new TextEncoder()

/** How the bytes of every record begin: a map of one key. A block of a user's may begin so, too. */
export const commitMagic = magic(commitName)

/** As much of a record tells whether it is one. */
export const beginningBytes = 64

/** Where a record stands, as far as that is known: the id is not where the segment's head is damaged. */
export interface RecordPlace extends Pick<CommitRecord, 'segment' | 'to'> {
  readonly id: Uint8Array | undefined
}

/**
 * Whether bytes begin as the record of just this place. In canonical order the place and the id come first, so that nothing
 * more of what was made to look like a record has to be read, hashed or decoded.
 */
export function beginsAsRecordAt (bytes: Uint8Array, { segment, to, id }: RecordPlace): boolean {
  const beginning = concat([
    commitMagic,
    Uint8Array.of(0xa0 + fieldsOfCommit),
    dagCbor.encode('at'),
    dagCbor.encode([segment, to]),
    ...id === undefined ? [] : [dagCbor.encode('id'), dagCbor.encode(id)]
  ])

  return Buffer.compare(bytes.subarray(0, beginning.byteLength), beginning) === 0
}

function magic (name: string): Uint8Array {
  return Uint8Array.of(0xa1, 0x60 + name.length, ...text.encode(name))
}

const fieldsOfCommit = 12

export function encodeCommit (record: CommitRecord): Uint8Array {
  const { store, id, sequence, durable, segment, from, to, digest, previous } = record

  return dagCbor.encode({
    [commitName]: {
      at: [segment, to],
      id,
      version: formatVersion,
      store,
      sequence,
      durable,
      from,
      digest,
      previous: previous === undefined ? [] : [previous.segment, previous.offset],
      roots: [...record.roots].map(([name, value]) => [text.encode(name), value]),
      segments: runsOf(record.segments),
      removed: record.removed
    }
  })
}

export function encodeSegmentRecord ({ store, segment, id }: SegmentRecord): Uint8Array {
  return dagCbor.encode({ [segmentName]: { version: formatVersion, store, segment, id } })
}

/**
 * Decodes the record in the bytes, or returns undefined where they are none of this version: what version a store has is
 * told by its segments' first records, which nobody but the store writes.
 */
export function decodeCommit (bytes: Uint8Array): CommitRecord | undefined {
  const fields = decodeNamed(commitName, bytes)
  const at = numbers(fields?.at)
  const counts = numbers([fields?.sequence, fields?.durable, fields?.from])
  const names = list([fields?.store, fields?.id, fields?.digest], isBytes)
  const previous = numbers(fields?.previous)
  const roots = list(fields?.roots, isPairOfBytes)
  const segments = expandRuns(list(fields?.segments, isPairOfNumbers))
  const removed = list(fields?.removed, isBytes)

  if (fields?.version !== formatVersion || at?.length !== 2 || counts === undefined || names === undefined ||
    previous === undefined || roots === undefined || segments === undefined || removed === undefined) {
    return
  }

  const [segment, to] = at
  const [sequence, durable, from] = counts
  const [store, id, digest] = names

  return {
    store,
    id,
    sequence,
    durable,
    segment,
    from,
    to,
    digest,
    previous: previous.length === 2 ? { segment: previous[0], offset: previous[1] } : undefined,
    roots: new Map(roots.map(([name, value]) => [new TextDecoder('utf-8', { ignoreBOM: true }).decode(name), value])),
    segments,
    removed
  }
}

/** @throws {UnsupportedVersionError} where it is one of a newer version */
export function decodeSegmentRecord (bytes: Uint8Array): SegmentRecord | undefined {
  const fields = decodeNamed(segmentName, bytes)

  if (isCount(fields?.version) && fields.version > formatVersion) {
    throw new UnsupportedVersionError(`the pack store has version ${fields.version}, this release knows version ${formatVersion}`)
  }

  return isBytes(fields?.store) && isCount(fields?.segment) && isBytes(fields?.id) ? { store: fields.store, segment: fields.segment, id: fields.id } : undefined
}

/** Records are named by the hash of their bytes, as all blocks are. */
export async function recordKey (bytes: Uint8Array): Promise<Uint8Array> {
  return Uint8Array.of(dagCborCode, 0x12, 0x20, ...await sha256(bytes))
}

/**
 * On this thread: the copies that the thread pool would need take longer, to whoever reads one block behind the other. The digest
 * comes as a string of its bytes, since a Buffer for it takes as long to make as a KiB to hash.
 */
export function isIntact (key: Uint8Array, bytes: Uint8Array): boolean {
  const [expected, actual] = [digestOf(key), hash('sha256', bytes, 'binary')]

  for (let i = 0; i < expected.byteLength; i++) {
    if (expected[i] !== actual.charCodeAt(i)) {
      return false
    }
  }

  return true
}

function decodeNamed (name: string, bytes: Uint8Array): Record<string, unknown> | undefined {
  const start = magic(name)

  if (Buffer.compare(bytes.subarray(0, start.byteLength), start) !== 0) {
    return
  }

  let fields: unknown

  try {
    fields = dagCbor.decode<Record<string, unknown>>(bytes)[name]
  } catch {
    // a block of a user's that only begins like one of ours: it is told from a record by not being one
    return
  }

  return typeof fields === 'object' && fields !== null ? { ...fields } : undefined
}

/** Sorted numbers as runs of first and last: without compaction there is one run */
function runsOf (segments: readonly number[]): number[][] {
  const runs: number[][] = []

  for (const segment of segments) {
    const last = runs.at(-1)

    if (last?.[1] === segment - 1) {
      last[1] = segment
    } else {
      runs.push([segment, segment])
    }
  }

  return runs
}

function list <T> (value: unknown, isItem: (item: unknown) => item is T): T[] | undefined {
  return Array.isArray(value) && value.every(isItem) ? value : undefined
}

function numbers (value: unknown): number[] | undefined {
  return list(value, isCount)
}

function isCount (value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isBytes (value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

function isPairOfBytes (value: unknown): value is [Uint8Array, Uint8Array] {
  return Array.isArray(value) && value.length === 2 && value.every(isBytes)
}

function isPairOfNumbers (value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1]
}

/** Of 256 MiB each by default: more are a lie, and must not become an array */
export const maxSegments = 2 ** 20

/** All numbers of sorted runs; returns undefined where they are not sorted, or are more than any store has. */
function expandRuns (runs: ReadonlyArray<[number, number]> | undefined): number[] | undefined {
  const count = runs?.reduce((sum, [first, last]) => sum + last - first + 1, 0) ?? Infinity
  const isSorted = runs?.every(([first], i) => i === 0 || first > runs[i - 1][1]) === true

  return isSorted && count <= maxSegments ? runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)) : undefined
}
