import { blocksStart } from '../format/segment-head.ts'
import { scan } from '../scanning/scan.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { Location } from '../format/locations.ts'

/** A section and where its data stands */
export interface ListedBlock {
  readonly key: Uint8Array
  readonly location: Location
}

/** A part of a segment: up to the file's end, where none is given */
export interface SegmentPart {
  readonly segment: number
  /** Behind a section, or at 0 */
  readonly from: number
  readonly end: number | undefined
}

/** Where the sections of a part of a segment stand, some at a time: all of a segment would fill the memory where they are small. */
export async function * listBlocks (file: OpenFile, { segment, from, end }: SegmentPart, options: AbortOptions): AsyncGenerator<ListedBlock[]> {
  for await (const batch of scan(file, Math.max(from, await blocksStart(file)), end ?? await file.size(), options)) {
    yield batch.flatMap(found => {
      if (found.kind === 'gap') {
        return []
      }

      const { key, dataOffset: offset, dataLength: length } = found.section

      return [{ key: key.slice(), location: { segment, offset, length } }]
    })
  }
}
