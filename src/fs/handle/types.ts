import type { AbortOptions } from '../../options.ts'
import type { EncodingOptions } from '../node-api/arguments.ts'

/** What `handle.read()` returns: the buffer that was given, and how many bytes of it were filled. */
export interface ReadResult<B> {
  /** 0 at the end of the file */
  readonly bytesRead: number
  readonly buffer: B
}

/** What `handle.readv()` returns: the buffers that were given, and how many of their bytes were filled. */
export interface ReadvResult<B> {
  readonly bytesRead: number
  readonly buffers: B
}

/** What `handle.write()` returns: the data that was given, and how many bytes it took in the file. */
export interface WriteResult<B> {
  readonly bytesWritten: number
  readonly buffer: B
}

/** What `handle.writev()` returns: the buffers that were given, and how many bytes they took in the file. */
export interface WritevResult<B> {
  readonly bytesWritten: number
  readonly buffers: B
}

/** Options of `handle.readFile()`. */
export interface HandleReadFileOptions extends EncodingOptions {}

/** Options of `handle.writeFile()` and `handle.appendFile()`. */
export interface HandleWriteFileOptions extends EncodingOptions {
  /** As in Node; has no effect, since `close` stores what was written. Default: false */
  readonly flush?: boolean
}

/** Options of `handle.readableWebStream()`. */
export interface WebStreamOptions {
  /** Close the handle at the end of the stream. Default: false */
  readonly autoClose?: boolean
  /** Every stream is one of bytes */
  readonly type?: 'bytes'
}

/** Which bytes of an open file a stream reads, and whether it closes the handle. */
export interface ByteStreamOptions extends AbortOptions {
  /** The first byte. Default: where the last operation of the handle ended */
  readonly start?: number
  /** The last byte, itself included. Default: the last of the file */
  readonly end?: number
  /** Close the handle at the end of the stream. Default: true */
  readonly autoClose?: boolean
  /** Bytes to read at once. Default: 1,048,576, a chunk of the default layout */
  readonly highWaterMark?: number
}

/** Options of `handle.createReadStream()` and `handle.readLines()`. */
export interface ReadStreamOptions extends ByteStreamOptions {}

/** Options of `handle.createWriteStream()`. */
export interface WriteStreamOptions extends EncodingOptions {
  /** Where to begin. Default: where the last operation of the handle ended */
  readonly start?: number
  /** Close the handle with the stream. Default: true */
  readonly autoClose?: boolean
  /** Store the file's blocks before the stream is closed. Default: false */
  readonly flush?: boolean
  /** Bytes to take before the writer is told to wait. Default: 65,536 */
  readonly highWaterMark?: number
}

interface OpeningOptions {
  /** Permission bits of a file that is made. Default: none are recorded, and 0o644 is reported */
  readonly mode?: number | string | null
}

/** Options of `fs.createReadStream()`. */
export interface PathReadStreamOptions extends ReadStreamOptions, OpeningOptions {
  /** What to open the file for. Default: `'r'` */
  readonly flags?: string | number | null
}

/** Options of `fs.createWriteStream()`. */
export interface PathWriteStreamOptions extends WriteStreamOptions, OpeningOptions {
  /** What to open the file for. Default: `'w'`; to write into a file that is there, `'r+'` */
  readonly flags?: string | number | null
}
