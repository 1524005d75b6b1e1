import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/** How far garbage collection is. */
export interface GcProgress {
  /** Blocks that were found to be needed, so far */
  readonly live: number
  /** Blocks that were deleted, so far */
  readonly deleted: number
}

/** What `fs.gc()` passes to `onProgress`. */
export type GcProgressEvents = ProgressEvent<'dagfs:gc', GcProgress>

/** Options of `fs.gc()`. */
export interface GcOptions extends AbortOptions, ProgressOptions<GcProgressEvents> {
  /** Further trees and snapshots to keep, with all that is below them, such as roots that a program has noted by itself */
  readonly keep?: Iterable<CID>
}

/** What garbage collection did. */
export interface GcReport {
  /** Blocks that were in the store */
  readonly blocks: number
  readonly kept: number
  readonly deleted: number
  /** Bytes of the blocks that were deleted */
  readonly bytes: number
}
