import { pace } from '../../pace.ts'
import { isErrorCode } from '../files/error-code.ts'
import { blocksStart } from '../format/segment-head.ts'
import { scan } from '../scanning/scan.ts'
import { missingSegment } from './missing-segment.ts'
import type { Segments } from './segments.ts'
import type { OpenFile } from '../files/files.ts'
import type { ScanItem, ScanOptions } from '../scanning/scan.ts'

export interface SectionsOptions extends ScanOptions {
  /** Behind a section; the file's end by default */
  readonly end?: number
}

/** What stands in a segment; views into a buffer that the next step overwrites. */
export async function * sectionsOf (segments: Segments, segment: number, { end, ...options }: SectionsOptions): AsyncGenerator<{ file: OpenFile, found: ScanItem }> {
  const file = await openPresent(segments, segment)

  try {
    const start = await blocksStart(file)

    for await (const batch of scan(file, start, end ?? await file.size(), options)) {
      for (const found of batch) {
        await pace(options)
        yield { file, found }
      }
    }
  } finally {
    await segments.release(file)
  }
}

/** @throws {CorruptStoreError} where the segment is not there: nobody but a compaction removes one */
async function openPresent (segments: Segments, segment: number): Promise<OpenFile> {
  try {
    return await segments.open(segment)
  } catch (err) {
    throw isErrorCode(err, 'ENOENT') ? missingSegment(segments.path(segment), err) : err
  }
}
