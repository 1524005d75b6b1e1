import { createHash } from 'node:crypto'
import { pace } from '../../pace.ts'
import { isIntact } from '../format/record.ts'
import { endOf, maxHeadBytes, writeHead } from '../format/section.ts'
import { blocksStart } from '../format/segment-head.ts'
import { scan } from './scan.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { CommitRecord } from '../format/record.ts'
import type { Section } from '../format/section.ts'

// heads have some 40 bytes, that of a segment 170, and the hash is handed them by the hundred
const gatheredBytes = 4096

/**
 * The digest by which a record vouches for its range: the sha2-256 of the range without the bytes of its blocks. Those are
 * vouched for by their CIDs, which are in it, so that no byte of a block is hashed twice.
 */
export class RangeDigest {
  readonly #hash = createHash('sha256')
  readonly #gathered = new Uint8Array(gatheredBytes)
  readonly #head = new Uint8Array(maxHeadBytes)
  #length = 0

  /** Takes heads as they stand in the segment. */
  add (bytes: Uint8Array): void {
    if (this.#length + bytes.byteLength > gatheredBytes) {
      this.#flush()
    }

    this.#gathered.set(bytes, this.#length)
    this.#length += bytes.byteLength
  }

  /** Takes the head that a section has. */
  addSection (key: Uint8Array, dataBytes: number): void {
    this.add(this.#head.subarray(0, writeHead(this.#head, 0, key, dataBytes)))
  }

  /** The digest of what was taken so far; more can be taken then. */
  digest (): Uint8Array {
    this.#flush()

    return this.#hash.copy().digest()
  }

  #flush (): void {
    this.#hash.update(this.#gathered.subarray(0, this.#length))
    this.#length = 0
  }
}

/** The ranges of a segment one behind the other, held against their records by the heads alone. */
export class Ranges {
  #digest = new RangeDigest()
  #start: number

  private constructor (start: number) {
    this.#start = start
  }

  /**
   * @param file - the segment
   * @param from - where a record ends in it, or 0
   * @returns the ranges, and where the first section of them begins
   */
  static async open (file: OpenFile, from: number): Promise<{ readonly ranges: Ranges, readonly start: number }> {
    const ranges = new Ranges(from)

    return { ranges, start: from === 0 ? await addSegmentHead(ranges.#digest, file) : from }
  }

  /** Where the last record ended */
  get start (): number {
    return this.#start
  }

  add ({ key, dataLength }: Section): void {
    this.#digest.addSection(key, dataLength)
  }

  /** Whether a record was written for just what was added since the one before it. */
  end ({ from, digest }: Pick<CommitRecord, 'from' | 'digest'>, section: Section): boolean {
    const isWhole = from === this.#start && Buffer.compare(this.#digest.digest(), digest) === 0
    this.#start = endOf(section)
    this.#digest = new RangeDigest()

    return isWhole
  }
}

/** Whether a range is the one that a record was written for: its digest is right, and each block is what its CID names. */
export async function isRangeIntact (file: OpenFile, { from, to, digest }: Pick<CommitRecord, 'from' | 'to' | 'digest'>, options: AbortOptions): Promise<boolean> {
  const actual = new RangeDigest()
  const start = from === 0 ? await addSegmentHead(actual, file) : from

  for await (const batch of scan(file, start, to, { ...options, withData: true })) {
    for (const found of batch) {
      await pace(options)

      if (found.kind === 'gap' || found.data === undefined || !isIntact(found.section.key, found.data)) {
        return false
      }

      actual.addSection(found.section.key, found.section.dataLength)
    }
  }

  return Buffer.compare(actual.digest(), digest) === 0
}

/**
 * Takes what a segment begins with, and returns where its blocks begin. For a damaged head it takes
 * nothing and returns 0, so that the digest differs.
 */
export async function addSegmentHead (actual: RangeDigest, file: OpenFile): Promise<number> {
  const head = new Uint8Array(await blocksStart(file))
  file.readNow(head, 0)
  actual.add(head)

  return head.byteLength
}
