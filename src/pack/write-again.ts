import { pace } from '../pace.ts'
import { recordAt } from './recover.ts'
import { endOf } from './section.ts'
import type { OpenFile } from './files.ts'
import type { CommitRecord } from './record.ts'
import type { FoundRecord } from './recover.ts'

const pieceBytes = 2 ** 22
const readAtOnceBytes = 2 ** 16

/**
 * Writes the end of a segment into its place again, as far as it is not known that the disk has it. Where a sync failed, Linux
 * takes its pages for written all the same: reads find them, the next sync has nothing to do and succeeds, and the disk
 * never gets them. What is written again has to go to the disk with the next sync.
 *
 * Segments before this one need no such thing: they were synced before any record was written into it.
 *
 * @param file - the segment that the last record stands in, and ends with
 * @param store - the store's id
 * @param last - the last record
 */
export async function writeAgain (file: OpenFile, store: Uint8Array, last: FoundRecord): Promise<void> {
  const end = endOf(last.section)
  const start = await durableEnd(file, store, last)
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start))

  for (let at = start; at < end; at += pieceBytes) {
    await pace()
    const piece = buffer.subarray(0, Math.min(pieceBytes, end - at))
    // most often it is a record alone, which is read in less time than it takes to wait for it
    const length = piece.byteLength <= readAtOnceBytes ? file.readNow(piece, at) : await file.read(piece, at)
    await file.write(piece.subarray(0, length), at)
  }
}

/** Where the last record ends that is known to be on the disk; 0 where that stands in another segment, or cannot be found. */
async function durableEnd (file: OpenFile, store: Uint8Array, { record: last, section }: FoundRecord): Promise<number> {
  if (last.sequence <= last.durable) {
    // the first of a store, which has no name before it is on the disk
    return endOf(section)
  }

  let first = last

  while (first.from > 0 && first.sequence - 1 > last.durable) {
    await pace()
    const before = await recordBefore(file, store, first)

    if (before === undefined) {
      return 0
    }

    first = before
  }

  return first.from
}

async function recordBefore (file: OpenFile, store: Uint8Array, { segment, sequence, previous }: CommitRecord): Promise<CommitRecord | undefined> {
  const found = await recordAt(file, store, segment, previous?.offset ?? 0)

  // without an end to the numbers, a record that names itself would have none either
  return found?.record.sequence === sequence - 1 ? found.record : undefined
}
