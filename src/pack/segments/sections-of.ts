import { pace } from '../../pace.ts'
import { blocksStart } from '../format/segment-head.ts'
import { scan } from '../scanning/scan.ts'
import { requirePresent } from './missing-segment.ts'
import type { Segments } from './segments.ts'
import type { OpenFile } from '../files/files.ts'
import type { ScanItem, ScanOptions } from '../scanning/scan.ts'

export interface SectionsOptions extends ScanOptions {
  /** Behind a section; the file's end by default */
  readonly end?: number
}

/** What stands in a segment; views into a buffer that the next step overwrites. */
export async function * sectionsOf (segments: Segments, segment: number, { end, ...options }: SectionsOptions): AsyncGenerator<{ file: OpenFile, found: ScanItem }> {
  const file = await requirePresent(segments, segment, segments.open(segment))

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
