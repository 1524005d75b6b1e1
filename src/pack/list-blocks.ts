import { isErrorCode } from './error-code.ts'
import { scan } from './scan.ts'
import { blocksStart } from './segment-head.ts'
import type { Location } from './locations.ts'
import type { Segments } from './segments.ts'
import type { AbortOptions } from '../options.ts'

/**
 * Where the sections of a segment stand; none where compaction has removed it, as what stays of it stands in a later one.
 */
export async function listBlocks (segments: Segments, segment: number, end: number | undefined, options: AbortOptions): Promise<Array<{ key: Uint8Array, location: Location }>> {
  const blocks: Array<{ key: Uint8Array, location: Location }> = []

  try {
    await segments.use(segment, async file => {
      for await (const batch of scan(file, await blocksStart(file), end ?? await file.size(), options)) {
        for (const found of batch) {
          if (found.kind === 'section') {
            const { key, dataOffset: offset, dataLength: length } = found.section
            blocks.push({ key: key.slice(), location: { segment, offset, length } })
          }
        }
      }
    })
  } catch (err) {
    if (!isErrorCode(err, 'ENOENT')) {
      throw err
    }
  }

  return blocks
}
