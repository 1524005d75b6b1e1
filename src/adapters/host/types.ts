import type { Attributes } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/** How far an import or export has come, and how far it has to go. */
export interface TransferProgress {
  readonly entries: number
  /** Bytes of files */
  readonly bytes: number
  /** All entries of the transfer, as counted before it began; undefined where that is not known */
  readonly totalEntries?: number
  readonly totalBytes?: number
}

/** An entry that was left out, where on the source it is, and why. */
export interface SkippedEntry {
  readonly path: string
  readonly error: Error
}

/** What was transferred. */
export interface TransferReport {
  readonly files: number
  readonly directories: number
  readonly symlinks: number
  /** Bytes of all files */
  readonly bytes: number
  readonly skipped: readonly SkippedEntry[]
}

/** What was imported. */
export interface ImportReport extends TransferReport {
  /** Files that the record knew, and that were not read. Undefined where there is no record */
  readonly unread?: number
  /**
   * What `mode` and `mtime` record of the source itself, where its content goes to `/`, which has no entry to hold it.
   * Pass it to `snapshot({ attributes })`
   */
  readonly attributes?: Pick<Attributes, 'mode' | 'mtime'>
}

/** Options of `importDirectory` and `previewImport`. */
export interface ImportOptions extends AbortOptions, ProgressOptions<ProgressEvent<'dagfs:import:progress', TransferProgress>> {
  /** Where in the tree the directory's content goes. Default: `/` */
  readonly to?: string
  /** Import entries whose names begin with a dot. Default: true */
  readonly hidden?: boolean
  /** Leave out what these patterns match, in the syntax of .gitignore, from the directory down. Default: none */
  readonly ignore?: readonly string[]
  /** Names of files that hold such patterns for the directory that they are in, such as `.gitignore`. Default: none */
  readonly ignoreFiles?: readonly string[]
  /** Record permission bits. Default: false, so that equal content gives equal roots */
  readonly mode?: boolean
  /** Record the times of last modification. Default: false, as for `mode` */
  readonly mtime?: boolean
  /**
   * What to do with what cannot be read, changes or vanishes while it is read, is no file, directory or symbolic link,
   * or has a name that is not UTF-8. `skip` leaves it out and reports it. Default: `throw`
   */
  readonly onSourceError?: 'throw' | 'skip'
  /**
   * A file that remembers what was imported, beside the store or wherever there is room: some 80 bytes for each entry. With
   * it, an import reads no file whose size, mtime, ctime and inode are those it had then, and goes on where one was
   * interrupted. It is a cache: without it, or where it is lost, damaged or of something else, every file is read, and the
   * tree is the same. Default: none
   */
  readonly record?: string
  /**
   * How often the record is written while an import goes on, in milliseconds: what an interruption may cost. Each time the
   * directories imported so far are stored. Default: 10,000
   */
  readonly recordEveryMs?: number
  /**
   * With a record, a file that changed less than this many milliseconds before the import began to read is read again by the
   * next import. It could have been read in the middle of a write, or have changed again, without its times saying so. The
   * window is as long again for each 128 MiB of the file, up to 2 GiB. Less than 2,000 counts as 2,000. Default: 30,000
   */
  readonly racyWindowMs?: number
  /** Remove from `to` what the directory does not have, or what is ignored. Default: false */
  readonly delete?: boolean
}

/** What was exported. */
export interface ExportReport extends TransferReport {
  /** The first 10,000 entries that were left out, and why: a hostile tree of few blocks can have very many */
  readonly skipped: readonly SkippedEntry[]
  /** How many more were left out. Undefined where there are none */
  readonly moreSkipped?: number
  /** Files that were there already and were not written. Undefined without `update` */
  readonly unchanged?: number
}

/** Options of `exportDirectory`. */
export interface ExportOptions extends AbortOptions, ProgressOptions<ProgressEvent<'dagfs:export:progress', TransferProgress>> {
  /** The directory of the tree to export. Default: `/` */
  readonly from?: string
  /**
   * Set the permission bits that are recorded, without setuid, setgid and sticky; those of the exported directory itself
   * where the export makes the target, or `update` says that it may be changed. Default: true
   */
  readonly mode?: boolean
  /** Set the times of last modification that are recorded, of the exported directory as for `mode`. Default: true */
  readonly mtime?: boolean
  /**
   * Which names are refused. `host`: those that this host cannot hold or takes for one another. `portable`: those of any
   * common host. Default: `host`
   */
  readonly names?: 'host' | 'portable'
  /**
   * What to do with a link that leaves the target, a name that is refused, a path longer than the host allows, and what would
   * be put where a store is that this process has open. `skip` leaves it out. Default: `throw`
   */
  readonly onUnsupported?: 'throw' | 'skip'
  /**
   * What to do with files and links that are there. `content`: read files of the right size, and replace what differs.
   * `time`: take a file of the right size and of the very time that is recorded for the same without reading it, as rsync
   * does. A file is replaced by another that was written beside it, and what its owner may not do in a directory that is there
   * is no hindrance. Default: they are in the way, EEXIST
   */
  readonly update?: 'content' | 'time'
  /**
   * Remove from the target what the tree does not have, and what is in the way of something of another kind. Needs
   * `update`. Default: false
   */
  readonly delete?: boolean
  /** Give up after this many entries: a hostile tree of few blocks can have very many. Default: 10,000,000 */
  readonly maxEntries?: number
  /** Give up after this many bytes. Default: 8 TiB */
  readonly maxBytes?: number
}
