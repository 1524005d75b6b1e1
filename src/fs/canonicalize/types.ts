import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/** Progress of `fs.canonicalize()`. */
export interface CanonicalizeProgress {
  /** Entries done so far. Those of equal directories count once */
  readonly entries: number
  /** Bytes of the files that were stored anew */
  readonly bytes: number
}

export type CanonicalizeProgressEvents = ProgressEvent<'dagfs:canonicalize', CanonicalizeProgress>

export interface CanonicalizeOptions extends AbortOptions, ProgressOptions<CanonicalizeProgressEvents> {
  /** The layout of the files of the new tree. Default: the layout of the handle */
  readonly layout?: FileLayout
}
