import { readRecord } from './recover.ts'
import { scan } from './scan.ts'
import { endOf } from './section.ts'
import type { Coverage } from './block-index.ts'
import type { Catalog } from './catalog.ts'
import type { OpenFile } from './files.ts'
import type { AbortOptions } from '../options.ts'

export interface Stretch {
  readonly file: OpenFile
  readonly segment: number
  readonly store: Uint8Array
  readonly from: number
  readonly to: number
  /** Called every megabyte or so */
  onBatch?(): Promise<void>
}

/**
 * Notes in the catalog what a stretch of a segment says, and answers how far the segment is known with it: up to the
 * last record in it.
 */
export async function readChanges (stretch: Stretch, catalog: Catalog, options: AbortOptions): Promise<Coverage | undefined> {
  const { file, segment, store, from, to } = stretch
  let coverage: Coverage | undefined

  for await (const batch of scan(file, from, to, options)) {
    for (const found of batch) {
      if (found.kind === 'gap') {
        continue
      }

      const { section } = found
      const record = await readRecord(file, store, segment, found)

      if (record === undefined) {
        catalog.set(section.key, { segment, offset: section.dataOffset, length: section.dataLength })
        continue
      }

      for (const key of record.record.removed) {
        catalog.set(key, undefined)
      }

      coverage = { length: endOf(section), recordOffset: section.offset, recordKey: record.section.key }
    }

    await stretch.onBatch?.()
  }

  return coverage
}
