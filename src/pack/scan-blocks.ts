import { CorruptStoreError } from '../errors.ts'
import { integerOption } from '../options.ts'
import { pace } from '../pace.ts'
import { BlockBatch } from './block-batch.ts'
import { locate, placesIn } from './locate.ts'
import { readRecord } from './recover.ts'
import { readHead } from './section.ts'
import { blocksStart } from './segment-head.ts'
import type { OpenFile } from './files.ts'
import type { Located, Places } from './locate.ts'
import type { AbortOptions } from '../options.ts'

export interface ScanBlocksOptions extends AbortOptions {
  /** Bytes that are read at once; 1 MiB by default */
  readonly readBytes?: number
}

/** A segment to scan */
export interface ScannedSegment {
  readonly file: OpenFile
  readonly path: string
  readonly segment: number
  readonly store: Uint8Array
  readonly end: number
}

// as `Segments` has it: handing a smaller read to the thread pool takes longer than the read
const smallBytes = 65_536

/**
 * Finds the blocks of a segment at the speed of reading it: nothing but the heads of sections is looked at, and nothing is
 * compared with its hash. Commit records are left out.
 *
 * @throws {CorruptStoreError} where the segment has bytes that are no section
 */
export async function * scanBlocks (target: ScannedSegment, { readBytes = 2 ** 20, signal }: ScanBlocksOptions): AsyncGenerator<BlockBatch> {
  const { file, path, end } = target
  let window: Uint8Array = new Uint8Array(2 * integerOption('readBytes', readBytes, 1, 2 ** 26))
  let places = placesIn(window)
  // a section that was not read to its end yet stands at the beginning of the window
  let rest = 0

  for (let position = await blocksStart(file, path); position < end;) {
    await pace({ signal })
    const wanted = Math.min(readBytes, end - position)

    if (rest + wanted > window.byteLength) {
      window = enlarged(window, 2 * (rest + wanted))
      places = placesIn(window)
    }

    const free = window.subarray(rest, rest + wanted)
    const count = wanted > smallBytes ? await file.read(free, position) : file.readNow(free, position)
    const bytes = window.subarray(0, rest + count)
    const located = locate(bytes, places, count < wanted || position + count === end)

    if (located === undefined) {
      throw new CorruptStoreError('a segment has bytes that are no block; run verify()', { path })
    }

    const length = located.suspects.length === 0 ? located.length : await leaveOutRecords(target, bytes, position - rest, places, located)

    if (length > 0) {
      yield new BlockBatch(bytes, length, places)
    }

    position += count
    rest = bytes.byteLength - located.next
    window.copyWithin(0, located.next, bytes.byteLength)
  }
}

function enlarged (window: Uint8Array, byteLength: number): Uint8Array {
  const larger = new Uint8Array(byteLength)
  larger.set(window)

  return larger
}

/** Moves the places of what is no commit record together, and answers how many there are. */
async function leaveOutRecords ({ file, store, segment }: ScannedSegment, bytes: Uint8Array, base: number, places: Places, { length, suspects }: Located): Promise<number> {
  let left = length

  for (const i of suspects.toReversed()) {
    const section = readHead(bytes, places.heads[i], base)
    const start = bytes.subarray(places.starts[i], places.ends[i])

    if (section !== undefined && await readRecord(file, store, segment, { kind: 'section', section, start, data: undefined }) !== undefined) {
      removePlace(places, i, left--)
    }
  }

  return left
}

function removePlace ({ heads, keys, starts, ends }: Places, i: number, length: number): void {
  for (const list of [heads, keys, starts, ends]) {
    list.copyWithin(i, i + 1, length)
  }
}
