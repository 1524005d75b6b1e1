import { unlessMissing } from '../files/unless-missing.ts'
import { recordsOf } from '../scanning/recover.ts'
import type { Loaded } from '../block-index/load.ts'
import type { Segments } from '../segments/segments.ts'

/**
 * Removes segments that the last record does not name, where it is proved that they are the store's and that nothing in them
 * counts: one before the last record was left out by a compaction, one behind it has no record, so that nothing in it was
 * ever vouched for. What has the store's head, and records that do not verify, is set aside under another name. What has no
 * head that says whose it is stays where it is.
 */
export async function removeLeftovers (segments: Segments, loaded: Loaded): Promise<void> {
  const named = new Set(loaded.last.record.segments)

  for (const segment of loaded.numbers.filter(number => !named.has(number))) {
    // a writer that does not know yet that it lost the store may have removed it meanwhile
    await unlessMissing(removeLeftover(segments, loaded, segment))
  }
}

async function removeLeftover (segments: Segments, { store, last: { record } }: Loaded, segment: number): Promise<void> {
  const isOwn = await segments.ownerOf(segment) !== undefined

  if (isOwn && (segment < record.segment || !await hasRecord(segments, store, segment))) {
    await segments.unlink(segment)
  } else if (isOwn) {
    await segments.setAside(segment)
  } else if (await segments.use(segment, async file => file.size()) === 0) {
    // begun, and nothing was written into it
    await segments.unlinkEmpty(segment)
  }
}

async function hasRecord (segments: Segments, store: Uint8Array, segment: number): Promise<boolean> {
  return segments.use(segment, async file => (await recordsOf({ file, store, segment, from: 0 }, {}).next()).done !== true)
}
