import type { LimitOptions } from '../../budget.ts'
import type { Attributes, Time } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Stats } from '../node-api/stats.ts'

/** A file as it was at one time, whatever is written to it later. */
export interface FileVersion {
  readonly size: number
  /** Reads a range, less where the file ends in it. The pieces may be the file's own bytes: do not write to them */
  read(offset: number, length: number, options: AbortOptions): AsyncGenerator<Uint8Array>
  /** To be called once, when nothing is read of it any more */
  release(): unknown
}

/**
 * A file that is open, whatever it is called by now: what every handle of one file shares. Each method sees what the
 * calls before it did.
 */
export interface OpenFile {
  readonly size: number
  readonly attributes: Attributes | undefined
  /** Reads a range as it is when the reading begins, as `FileVersion.read` */
  read(offset: number, length: number, options: AbortOptions): AsyncGenerator<Uint8Array>
  /** The file as it is now */
  version(): FileVersion
  /**
   * Writes bytes, which are copied before the call returns its promise. What lies between the file's end and `position`
   * becomes zeros; `'end'` is the end at the time of writing. Returns where the bytes end in the file.
   */
  write(position: number | 'end', bytes: Uint8Array, options: AbortOptions): Promise<number>
  /** Cuts the file, or extends it with zeros, to `length` bytes */
  truncate(length: number, options: AbortOptions): Promise<void>
  setAttributes(change: { mode?: number, mtime?: Time }, options: AbortOptions): Promise<void>
  stat(options: AbortOptions): Promise<Stats>
  /** Stores the content's blocks that are not stored. Publishes nothing */
  sync(options: LimitOptions): Promise<void>
  /**
   * To be called once for each time it was opened. The last release of a file stores its content, and forgets one without a
   * name. Where it fails, the edits stay in the draft
   */
  release(options: LimitOptions): Promise<void>
}
