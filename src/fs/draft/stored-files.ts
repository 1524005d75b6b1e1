import type { DraftFile } from './file.ts'
import type { LimitOptions } from '../../budget.ts'
import type { FileEntry } from '../../codec/index.ts'

/** What is stored of open files. */
export type StoredFiles = ReadonlyMap<DraftFile, FileEntry>

/**
 * Stores open files, and does something with what all of them are at one time, while none of them changes. For whoever edits the
 * draft that they are in.
 */
export async function withStoredFiles <T> (open: Iterable<DraftFile>, work: (entries: StoredFiles) => Promise<T>, options: LimitOptions): Promise<T> {
  const files = Array.from(open)

  // most of it before those who write have to wait
  for (const file of files) {
    await file.store(options)
  }

  const entries = new Map<DraftFile, FileEntry>()

  const storeNext = async (index: number): Promise<T> => {
    if (index === files.length) {
      return work(entries)
    }

    return files[index].whileStored(async entry => {
      entries.set(files[index], entry)

      return storeNext(index + 1)
    }, options)
  }

  return storeNext(0)
}
