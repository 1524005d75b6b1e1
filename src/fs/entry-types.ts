import type { Meta, Time } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * What is known of an entry without reading its content.
 */
export interface EntryInfo {
  /** The absolute path that it was found at */
  readonly path: string
  /** The last segment of the path; empty for the root */
  readonly name: string
  readonly kind: 'file' | 'directory' | 'symlink'
  /** Bytes of a file, of all files below a directory, or of a link's target */
  readonly size: number
  /** Permission bits, such as 0o644. Undefined where none were recorded */
  readonly mode?: number
  /** Seconds since 1970 and nanoseconds. Undefined where no time was recorded */
  readonly mtime?: Time
  readonly meta?: Meta
  /**
   * The CID of the block that holds a file's bytes, indexes them, or holds a directory. Undefined for files so small
   * that they are held in their entry, for links, and for directories with edits that are not committed.
   */
  readonly cid?: CID
  /** Where a symbolic link points to */
  readonly target?: string
}

/**
 * The bytes of a file. A `Uint8Array` of up to 1 MiB is copied before the next entry is asked for, so that one buffer
 * can serve for many files; larger ones and the pieces of a stream must not be changed after they were handed over.
 */
export type FileContent = string | Uint8Array | Blob | Iterable<Uint8Array> | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

interface AddedAttributes {
  /** Where to put it. Directories on the way are made as needed */
  readonly path: string
  readonly mtime?: Date | Time
  readonly meta?: Meta
}

/** A file to add. */
export interface AddedFile extends AddedAttributes {
  readonly kind?: 'file'
  readonly content: FileContent
  /** Permission bits, 0 to 0o7777 */
  readonly mode?: number
}

/** A directory to add; one that is there is merged with it. */
export interface AddedDirectory extends AddedAttributes {
  readonly kind: 'directory'
  readonly mode?: number
}

/** A symbolic link to add. */
export interface AddedSymlink extends AddedAttributes {
  readonly kind: 'symlink'
  readonly target: string
}

/** What `fs.addAll()` takes: a file unless `kind` says otherwise. */
export type AddedEntry = AddedFile | AddedDirectory | AddedSymlink
