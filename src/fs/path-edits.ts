/// <reference lib="esnext.disposable" preserve="true" />
import type { FileHandle } from './handle/file-handle.ts'
import type { PathWriteStreamOptions } from './handle/types.ts'
import type { WritableContent } from './handle/write-pieces.ts'
import type { EncodingOptions, PathLike, TimeLike } from './node-api/arguments.ts'
import type { Encoding } from './node-api/encoding.ts'
import type { CopyOptions } from './operations/copy.ts'
import type { RemoveDirectoryOptions, RemoveOptions } from './operations/remove.ts'
import type { WatchEvent, WatchOptions } from './watch.ts'
import type { AbortOptions } from '../options.ts'

export interface WriteFileOptions extends EncodingOptions {
  /** What to open the file for. Default: `'w'`, or `'a'` to append */
  readonly flag?: string | number | null
  /** Permission bits of a file that is made, less 0o022. Default: none are recorded, and 0o644 is reported */
  readonly mode?: number | string | null
  /** As in Node; has no effect, since `commit` is what makes edits last */
  readonly flush?: boolean
}

export interface MkdirOptions extends AbortOptions {
  /** Make what is missing above as well, and take a directory that is there for made. Default: false */
  readonly recursive?: boolean
  /** Permission bits, less 0o022. Default: none are recorded, and 0o755 is reported */
  readonly mode?: number | string | null
}

/** A directory that removes itself at the end of an `await using`. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
  remove(): Promise<void>
}

/**
 * The part of `node:fs/promises` that edits, with its semantics, defaults and errors. Edits are seen by reads at once, and
 * are part of a root from the next commit on. Every call that waits takes a `signal`: among its options, or in an object behind Node's
 * arguments.
 */
export interface PathEdits {
  /**
   * Writes a whole file, which is made where it is missing. The bytes are there all at once, as soon as the last of them
   * has come: where it fails, the file is as it was.
   *
   * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP, and EBADF for flags that do not write
   * @throws {ArgumentError} for data, options or flags that cannot be used
   */
  writeFile(path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void>

  /**
   * Writes to the end of a file, which is made where it is missing. Only its last chunk is read and written anew.
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
   */
  appendFile(path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void>

  /**
   * Tells of edits through this handle, from the first request on and until the caller stops: `rename` where a path comes,
   * goes or leads to something else, `change` where content or attributes change. What others publish under the same name
   * is not told of.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   * @throws {ArgumentError} for options that cannot be used
   * @throws {WatchOverflowError}
   */
  watch(path: PathLike, options: WatchOptions & { encoding: 'buffer' }): AsyncGenerator<WatchEvent<Uint8Array>, undefined>
  watch(path: PathLike, options?: WatchOptions): AsyncGenerator<WatchEvent, undefined>

  /**
   * Cuts a file to a length in bytes, or extends it with zeros. Default: 0.
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, EFBIG
   */
  truncate(path: PathLike, length?: number | null, options?: AbortOptions): Promise<void>

  /**
   * Makes a directory. Where `recursive`, returns the path of the first that was made, undefined where all were there.
   *
   * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP
   */
  mkdir(path: PathLike, options: MkdirOptions & { recursive: true }): Promise<string | undefined>
  mkdir(path: PathLike, options?: number | string | (MkdirOptions & { recursive?: false }) | null): Promise<undefined>
  mkdir(path: PathLike, options?: number | string | MkdirOptions | null): Promise<string | undefined>

  /**
   * Makes a directory whose path is the prefix and six random letters or digits, and returns it.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  mkdtemp(prefix: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  mkdtemp(prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>

  /**
   * As `mkdtemp`; the directory is removed with all that is in it when it is disposed of.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  mkdtempDisposable(prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<TemporaryDirectory>

  /**
   * Makes a symbolic link; its target need not exist. The type that Windows needs is ignored.
   *
   * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG
   */
  symlink(target: PathLike, path: PathLike, type?: string | null, options?: AbortOptions): Promise<void>

  /**
   * Gives a file, link or directory another path, in the place of a file, link or empty directory that is there. Costs no
   * block, whatever is moved.
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ENOTEMPTY, ELOOP, EINVAL for a directory that is to go into itself,
   * EBUSY for the root
   */
  rename(from: PathLike, to: PathLike, options?: AbortOptions): Promise<void>

  /**
   * Removes a file, a link or, where `recursive`, a directory.
   *
   * @throws {FileSystemError} ENOENT unless `force`, ENOTDIR, ELOOP, EBUSY for the root
   * @throws {OperationError} ERR_FS_EISDIR
   */
  rm(path: PathLike, options?: RemoveOptions): Promise<void>

  /**
   * Removes an empty directory; where `recursive`, with all that is in it. Node is about to drop that: use `rm`.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ENOTEMPTY, ELOOP, EBUSY for the root
   */
  rmdir(path: PathLike, options?: RemoveDirectoryOptions): Promise<void>

  /**
   * Removes a file or link.
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
   */
  unlink(path: PathLike): Promise<void>
  unlink(path: PathLike, options: AbortOptions): Promise<void>

  /**
   * Copies a file by the CID of its content. `mode` may have `constants.COPYFILE_EXCL`, to refuse a file that is there.
   *
   * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP
   */
  copyFile(from: PathLike, to: PathLike, mode?: number | null, options?: AbortOptions): Promise<void>

  /**
   * Copies a file, a link or, where `recursive`, a directory. Where nothing is in its place and no option asks to look at
   * what is in it, a directory is copied by its CID, and costs no block.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   * @throws {OperationError} ERR_FS_EISDIR, ERR_FS_CP_EINVAL, ERR_FS_CP_EEXIST, ERR_FS_CP_DIR_TO_NON_DIR,
   * ERR_FS_CP_NON_DIR_TO_DIR
   */
  cp(from: string | URL, to: string | URL, options?: CopyOptions): Promise<void>

  /**
   * Records permission bits of what a path leads to.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root, which has no attributes
   */
  chmod(path: PathLike, mode: number | string, options?: AbortOptions): Promise<void>

  /**
   * Records when what a path leads to was changed. There is no time of access in a tree: `atime` is checked and dropped.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root
   */
  utimes(path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void>

  /**
   * As `utimes`, but of a link at the end of the path itself.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root
   */
  lutimes(path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void>

  /**
   * A tree has no hard links.
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  link(from: PathLike, to: PathLike): Promise<void>

  /**
   * A tree has no owners.
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  chown(path: PathLike, uid: number, gid: number): Promise<void>

  /**
   * A tree has no owners.
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  lchown(path: PathLike, uid: number, gid: number): Promise<void>

  /**
   * A link has no permission bits.
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  lchmod(path: PathLike, mode: number | string): Promise<void>

  /**
   * A web stream that writes a file, which is emptied first unless `flags` say otherwise. Where the file cannot be opened,
   * the stream fails. One that is aborted leaves what was written.
   *
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError}
   */
  createWriteStream(path: PathLike, options?: PathWriteStreamOptions): WritableStream<Uint8Array | string>
}
