import { pace } from '../../pace.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { isErrorCode } from '../files/error-code.ts'
import { keyNumber } from '../format/key-text.ts'
import { isIntact } from '../format/record.ts'
import { cidOfKey, endOf } from '../format/section.ts'
import { RangeDigest, addSegmentHead } from '../scanning/range-digest.ts'
import { readRecord } from '../scanning/recover.ts'
import { scan } from '../scanning/scan.ts'
import type { AbortOptions } from '../../options.ts'
import type { IndexOverlay } from '../block-index/index-overlay.ts'
import type { OpenFile } from '../files/files.ts'
import type { LogPosition } from '../format/record.ts'
import type { FoundRecord } from '../scanning/recover.ts'
import type { ScanItem } from '../scanning/scan.ts'
import type { Segments } from '../segments/segments.ts'
import type { CID } from 'multiformats/cid'

/** Something that is wrong with a store */
export interface Problem {
  /**
   * - block: a block cannot be read, or its bytes do not match its CID
   * - copy: the same, of bytes that the store no longer needs
   * - bytes: what a segment says of itself is damaged: a head, a record, or what stands where a block should
   * - segment: a segment is missing
   * - end: the log ends before what was committed last
   * - foreign: a segment of another store, which is neither read nor removed: move it away
   */
  readonly kind: 'block' | 'copy' | 'bytes' | 'segment' | 'end' | 'foreign'
  /** The segment's path */
  readonly path: string
  readonly segment: number
  readonly offset: number
  readonly length: number
  /** Of a block, where it is known */
  readonly cid?: CID
}

export interface Inspected {
  readonly blocks: number
  readonly bytes: number
  readonly problems: Problem[]
}

/** What an inspection reads: a store up to its last record */
export interface Inspectable {
  readonly store: Uint8Array
  readonly segments: Segments
  readonly overlay: IndexOverlay
  /** The segments of the store, and where each of them ends; undefined for the file's end */
  readonly ends: ReadonlyMap<number, number | undefined>
}

export interface InspectOptions extends AbortOptions {
  /** Told the bytes that were read */
  onProgress?(bytes: number): void
}

/**
 * Reads every byte of a store and compares every block with its CID, every range with its record, and the index with
 * both.
 */
export async function inspect (target: Inspectable, options: InspectOptions): Promise<Inspected> {
  const result = { blocks: 0, bytes: 0 }
  const counts = await target.overlay.blockCounts(options)
  const inspections = new Map<number, SegmentInspection>()

  for (const [segment, end] of target.ends) {
    const inspection = new SegmentInspection(target, segment)

    try {
      // of one that ends at 0 nothing is written yet
      await target.segments.use(segment, async file => end === 0 ? undefined : inspection.run(file, end ?? await file.size(), options))
    } catch (err) {
      if (!isErrorCode(err, 'ENOENT')) {
        throw err
      }

      inspection.report('segment', 0, 0)
    }

    inspections.set(segment, inspection)
    inspection.findCutOff(inspections)
    await inspection.findUnreached(counts.get(segment) ?? 0, end, options)
    result.blocks += inspection.blocks
    result.bytes += inspection.bytes

    options.onProgress?.(result.bytes)
  }

  for (const [segment, count] of counts) {
    if (!target.ends.has(segment)) {
      // an index that is damaged looks for blocks where there is no segment
      const nowhere = new SegmentInspection(target, segment)
      await nowhere.findUnreached(count, Infinity, options)
      inspections.set(segment, nowhere)
    }
  }

  return { ...result, problems: [...inspections.values()].flatMap(({ problems }) => problems) }
}

class SegmentInspection {
  readonly #target: Inspectable
  readonly #segment: number
  readonly problems: Problem[] = []
  blocks = 0
  bytes = 0
  /** The blocks that were found at the place where the store looks for them: where they begin, and which they are */
  readonly #reached = new Map<number, number>()
  /** Where the last record ended: the next one has to go on from there */
  #recordEnd = 0
  /** What the next record has to vouch for, blocks apart, which are looked at one by one */
  #digest = new RangeDigest()
  /** Where the record before its first one stands */
  #previous: LogPosition | undefined
  #hasRecord = false

  constructor (target: Inspectable, segment: number) {
    this.#target = target
    this.#segment = segment
  }

  async run (file: OpenFile, end: number, options: InspectOptions): Promise<void> {
    const start = await this.#inspectHead(file)
    this.bytes = end

    for await (const batch of scan(file, start, end, { signal: options.signal, withData: true })) {
      for (const found of batch) {
        await pace(options)
        await this.#inspectFound(file, found)
      }
    }

    if (this.#recordEnd < end) {
      this.report('bytes', this.#recordEnd, end - this.#recordEnd)
    }
  }

  /** The first record of a segment says where the one before it ends, so that it is missed where that one was cut off. */
  findCutOff (others: ReadonlyMap<number, SegmentInspection>): void {
    const previous = this.#previous
    const before = previous === undefined || previous.segment === this.#segment ? undefined : others.get(previous.segment)

    if (previous !== undefined && before !== undefined && before.#recordEnd <= previous.offset && before.problems.length === 0) {
      before.report('bytes', before.#recordEnd, previous.offset + 1 - before.#recordEnd)
    }
  }

  /**
   * Where something is damaged, a block may not have been found at all that the store looks for there. This is the end of the
   * inspection: of many segments, the blocks would fill the memory.
   */
  async findUnreached (expected: number, end = Infinity, options: AbortOptions = {}): Promise<void> {
    if (this.problems.length > 0 || this.#reached.size !== expected) {
      await this.#target.overlay.hold(async () => this.#reportUnreached(end, options))
    }

    this.#reached.clear()
  }

  report (kind: Problem['kind'], offset: number, length: number, cid?: CID): void {
    const segment = this.#segment
    this.problems.push({ kind, path: this.#target.segments.path(segment), segment, offset, length, ...cid === undefined ? {} : { cid } })
  }

  async #reportUnreached (end: number, options: AbortOptions): Promise<void> {
    for (const { key, location: { offset, length } } of this.#target.overlay.blocksOf(this.#segment)) {
      await pace(options)

      // what stands behind the end came meanwhile
      if (this.#reached.get(offset) !== keyNumber(key) && offset < end) {
        this.report('block', offset, length, cidOfKey(key))
      }
    }
  }

  async #inspectHead (file: OpenFile): Promise<number> {
    const start = await addSegmentHead(this.#digest, file)

    if (start === 0) {
      this.report('bytes', 0, 1)
    }

    return start
  }

  async #inspectFound (file: OpenFile, found: ScanItem): Promise<void> {
    if (found.kind === 'gap') {
      this.report('bytes', found.offset, found.length)

      return
    }

    const { key, dataOffset, dataLength } = found.section
    const record = await readRecord(file, this.#target.store, this.#segment, found)

    if (record !== undefined) {
      this.#previous = this.#hasRecord ? this.#previous : record.record.previous
      this.#hasRecord = true
      this.#inspectRange(record)
    } else if (found.data !== undefined) {
      this.#digest.addSection(key, dataLength)
      this.#inspectBlock(key, dataOffset, found.data)
    }
  }

  #inspectBlock (key: Uint8Array, offset: number, data: Uint8Array): void {
    const isLive = isSame(this.#target.overlay.find(key), { segment: this.#segment, offset, length: data.byteLength })

    if (isLive) {
      this.#reached.set(offset, keyNumber(key))
      this.blocks++
    }

    if (!isIntact(key, data)) {
      this.report(isLive ? 'block' : 'copy', offset, data.byteLength, cidOfKey(key.slice()))
    }
  }

  /** A range may not be the one that was written though each of its blocks is whole. */
  #inspectRange ({ record: { from, digest }, section }: FoundRecord): void {
    const end = endOf(section)
    const isReported = this.problems.some(problem => problem.offset + problem.length > from)

    if (from !== this.#recordEnd) {
      this.report('bytes', this.#recordEnd, Math.max(0, from - this.#recordEnd))
    } else if (!isReported && Buffer.compare(this.#digest.digest(), digest) !== 0) {
      this.report('bytes', from, end - from)
    }

    this.#recordEnd = end
    this.#digest = new RangeDigest()
  }
}
