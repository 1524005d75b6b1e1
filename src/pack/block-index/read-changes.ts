import { endOf } from '../format/section.ts'
import { Ranges } from '../scanning/range-digest.ts'
import { readRecord } from '../scanning/recover.ts'
import { scan } from '../scanning/scan.ts'
import type { Coverage } from './block-index.ts'
import type { IndexOverlay } from './index-overlay.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { LogPosition } from '../format/record.ts'

export interface UnreadPart {
  readonly file: OpenFile
  readonly segment: number
  readonly store: Uint8Array
  /** Where a record ends, or 0 */
  readonly from: number
  readonly to: number
  /** Called every megabyte or so */
  onBatch?(): Promise<void>
}

/** How far a segment is known with a part of it */
export interface LogChanges {
  /** Up to the last record in it; undefined where it has none */
  readonly coverage: Coverage | undefined
  /**
   * Whether a block may stand there that was not found: there are bytes that no block or record was found in, or CIDs or lengths that no
   * record was written for
   */
  readonly isDamaged: boolean
  /** Where the first record of the part says that the one before it stands */
  readonly previous: LogPosition | undefined
}

/** Notes in the overlay what a part of a segment says. */
export async function readChanges (part: UnreadPart, overlay: IndexOverlay, options: AbortOptions): Promise<LogChanges> {
  const { file, segment, store, from, to } = part
  let [coverage, previous]: [Coverage | undefined, LogPosition | undefined] = [undefined, undefined]
  const { ranges, start } = await Ranges.open(file, from)
  let isDamaged = false

  for await (const batch of scan(file, start, to, options)) {
    for (const found of batch) {
      if (found.kind === 'gap') {
        isDamaged = true
        continue
      }

      const { section } = found
      const record = await readRecord(file, store, segment, found)

      if (record === undefined) {
        ranges.add(section)
        overlay.set(section.key, { segment, offset: section.dataOffset, length: section.dataLength })
        continue
      }

      for (const key of record.record.removed) {
        overlay.set(key, undefined)
      }

      if (coverage === undefined) {
        previous = record.record.previous
      }

      if (!ranges.end(record.record, section)) {
        isDamaged = true
      }

      coverage = { length: endOf(section), recordOffset: section.offset, recordKey: record.section.key, isDamaged: false, seen: endOf(section) }
    }

    await part.onBatch?.()
  }

  return { coverage, isDamaged, previous }
}
