import type { LimitOptions } from '../../budget.ts'
import type { FileLayout } from '../../file/index.ts'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/** Progress of `fs.canonicalize()`. */
export interface CanonicalizeProgress {
  /** Entries done so far. Those of equal directories count once */
  readonly entries: number
  /** Bytes of the files that were stored anew */
  readonly bytes: number
}

/** What `fs.canonicalize()` passes to `onProgress`. */
export type CanonicalizeProgressEvents = ProgressEvent<'dagfs:canonicalize', CanonicalizeProgress>

/**
 * `limits` count entries, blocks of directories and indexes, and the bytes of these and of files that are stored anew. Equal
 * directories and files count once. Default: 4,000,000 entries, 16,000,000 blocks, 8 GiB
 */
export interface CanonicalizeOptions extends LimitOptions, ProgressOptions<CanonicalizeProgressEvents> {
  /** The layout of the files of the new tree. Default: the layout of the handle */
  readonly layout?: FileLayout
}
