import { CorruptStoreError } from '../../errors.ts'
import { locateSections, placesIn } from '../format/locate.ts'
import { readHead } from '../format/section.ts'
import { blocksStart } from '../format/segment-head.ts'
import { readRecord } from '../scanning/recover.ts'
import { BlockBatch } from './block-batch.ts'
import type { OpenFile } from '../files/files.ts'
import type { LocatedSections, Places } from '../format/locate.ts'

/** A segment to scan */
export interface ScannedSegment {
  readonly file: OpenFile
  readonly path: string
  readonly segment: number
  readonly store: Uint8Array
  /** Behind a section, or at 0 */
  readonly from: number
  readonly end: number
}

// as `Segments` has it: handing a smaller read to the thread pool takes longer than the read
const smallBytes = 65_536

/**
 * Finds the blocks of a segment at the speed of reading it: nothing but the heads of sections is looked at, and nothing is
 * compared with its hash. Commit records are left out.
 */
export class SegmentScan {
  readonly #target: ScannedSegment
  readonly #readBytes: number
  #position: number
  #window: Uint8Array
  #places: Places
  /** How much of a section that was not read to its end yet stands in the window */
  #rest = 0
  #restStart = 0

  private constructor (target: ScannedSegment, start: number, readBytes: number) {
    this.#target = target
    this.#position = start
    this.#readBytes = readBytes
    this.#window = new Uint8Array(2 * readBytes)
    this.#places = placesIn(this.#window)
  }

  static async open (target: ScannedSegment, readBytes: number): Promise<SegmentScan> {
    return new SegmentScan(target, Math.max(target.from, await blocksStart(target.file)), readBytes)
  }

  get isAtEnd (): boolean {
    return this.#position >= this.#target.end
  }

  /**
   * What one read more brings, which may be nothing. It is a promise only where something has to be waited for: a turn of the
   * event loop takes longer than looking at the heads.
   *
   * @throws {CorruptStoreError} where the segment has bytes that are no section
   */
  next (): BlockBatch | Promise<BlockBatch> {
    const wanted = Math.min(this.#readBytes, this.#target.end - this.#position)
    this.#makeRoom(wanted)
    const free = this.#window.subarray(this.#rest, this.#rest + wanted)

    return wanted > smallBytes ? this.#nextLater(free) : this.#take(this.#target.file.readNow(free, this.#position), wanted)
  }

  async #nextLater (free: Uint8Array): Promise<BlockBatch> {
    return this.#take(await this.#target.file.read(free, this.#position), free.byteLength)
  }

  #take (count: number, wanted: number): BlockBatch | Promise<BlockBatch> {
    if (count === 0 && wanted > 0) {
      throw new CorruptStoreError('a segment ends before its last record; run verify()', { path: this.#target.path })
    }

    const bytes = this.#window.subarray(0, this.#rest + count)
    const base = this.#position - this.#rest
    this.#position += count
    const located = locateSections(bytes, this.#places, count < wanted || this.isAtEnd)

    if (located === undefined) {
      throw new CorruptStoreError('a segment contains bytes that are not a block; run verify()', { path: this.#target.path })
    }

    this.#restStart = located.next
    this.#rest = bytes.byteLength - located.next

    return located.suspects.length === 0 ? new BlockBatch(bytes, located.length, this.#places) : this.#withoutRecords(bytes, base, located)
  }

  /** Moves the places of what is no commit record together. */
  async #withoutRecords (bytes: Uint8Array, base: number, { length, suspects }: LocatedSections): Promise<BlockBatch> {
    const { file, store, segment } = this.#target
    const places = this.#places
    let left = length

    for (const { index, head } of suspects.toReversed()) {
      const section = readHead(bytes, head, base)
      const start = bytes.subarray(places.starts[index], places.ends[index])

      if (section !== undefined && await readRecord(file, store, segment, { kind: 'section', section, start, data: undefined }) !== undefined) {
        removePlace(places, index, left--)
      }
    }

    return new BlockBatch(bytes, left, places)
  }

  /** Moves the rest to the beginning of the window, and makes the window larger where the next read would not fit. */
  #makeRoom (wanted: number): void {
    const [from, to] = [this.#restStart, this.#restStart + this.#rest]

    if (this.#rest + wanted <= this.#window.byteLength) {
      this.#window.copyWithin(0, from, to)
    } else {
      const larger = new Uint8Array(2 * (this.#rest + wanted))
      larger.set(this.#window.subarray(from, to))
      this.#window = larger
      this.#places = placesIn(larger)
    }

    this.#restStart = 0
  }
}

function removePlace ({ keys, starts, ends }: Places, index: number, length: number): void {
  for (const list of [keys, starts, ends]) {
    list.copyWithin(index, index + 1, length)
  }
}
