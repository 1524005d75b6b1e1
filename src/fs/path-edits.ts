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

/** Options of `fs.writeFile()` and `fs.appendFile()`. */
export interface WriteFileOptions extends EncodingOptions {
  /** What to open the file for. Default: `'w'`, or `'a'` to append */
  readonly flag?: string | number | null
  /** Permission bits of a file that is made, less 0o022. Default: none are recorded, and 0o644 is reported */
  readonly mode?: number | string | null
  /** As in Node; has no effect, since `commit` is what makes edits last */
  readonly flush?: boolean
}

/** Options of `fs.mkdir()`. */
export interface MkdirOptions extends AbortOptions {
  /** Make what is missing above as well, and take a directory that is there for made. Default: false */
  readonly recursive?: boolean
  /** Permission bits, less 0o022. Default: none are recorded, and 0o755 is reported */
  readonly mode?: number | string | null
}

/** A directory that removes itself at the end of an `await using`. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string

  /**
   * Removes it before that, with all that is in it.
   *
   * @example
   *
   * ```ts
   * const directory = await fs.mkdtempDisposable('/build-')
   * await fs.writeFile(`${directory.path}/index.html`, 'hello')
   * await directory.remove()
   * console.log(await fs.exists(directory.path)) // false
   * ```
   */
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
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * await fs.writeFile('/notes.md', ['hello', ' ', 'world']) // in pieces
   * console.log(await fs.readFile('/notes.md', 'utf8')) // hello world
   * ```
   *
   * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP, and EBADF for flags that do not write
   * @throws {ArgumentError} for data, options or flags that cannot be used
   */
  writeFile(path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void>

  /**
   * Writes to the end of a file, which is made where it is missing. Only its last chunk is read and written anew.
   *
   * @example
   *
   * ```ts
   * await fs.appendFile('/log.txt', 'started\n')
   * await fs.appendFile('/log.txt', 'ended\n')
   * console.log((await fs.readFile('/log.txt', 'utf8')).split('\n').length) // 3
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
   */
  appendFile(path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void>

  /**
   * Tells of edits through this handle, from the first request on and until the caller stops: `rename` where a path comes,
   * goes or leads to something else, `change` where content or attributes change. What others publish under the same name
   * is not told of.
   *
   * @example
   *
   * ```ts
   * const events = fs.watch('/', { signal: AbortSignal.timeout(1_000) })
   * const event = events.next()
   * await fs.writeFile('/notes.md', 'hello')
   * console.log((await event).value) // { eventType: 'rename', filename: 'notes.md' }
   * ```
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
   * @example
   *
   * ```ts
   * await fs.writeFile('/log.txt', 'begin, work, end')
   * await fs.truncate('/log.txt', 5)
   * console.log(await fs.readFile('/log.txt', 'utf8')) // begin
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, EFBIG
   */
  truncate(path: PathLike, length?: number | null, options?: AbortOptions): Promise<void>

  /**
   * Makes a directory. Where `recursive`, returns the path of the first that was made, undefined where all were there.
   *
   * @example
   *
   * ```ts
   * await fs.mkdir('/notes')
   * console.log(await fs.mkdir('/notes/2026/january', { recursive: true })) // /notes/2026
   * ```
   *
   * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP
   */
  mkdir(path: PathLike, options: MkdirOptions & { recursive: true }): Promise<string | undefined>
  mkdir(path: PathLike, options?: number | string | (MkdirOptions & { recursive?: false }) | null): Promise<undefined>
  mkdir(path: PathLike, options?: number | string | MkdirOptions | null): Promise<string | undefined>

  /**
   * Makes a directory whose path is the prefix and six random letters or digits, and returns it.
   *
   * @example
   *
   * ```ts
   * const directory = await fs.mkdtemp('/build-')
   * await fs.writeFile(`${directory}/index.html`, 'hello')
   * console.log(directory) // /build-…
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  mkdtemp(prefix: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  mkdtemp(prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>

  /**
   * As `mkdtemp`; the directory is removed with all that is in it when it is disposed of.
   *
   * @example
   *
   * ```ts
   * {
   *   await using directory = await fs.mkdtempDisposable('/build-')
   *   await fs.writeFile(`${directory.path}/index.html`, 'hello')
   * }
   *
   * console.log(await fs.readdir('/')) // []
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  mkdtempDisposable(prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<TemporaryDirectory>

  /**
   * Makes a symbolic link; its target need not exist. The type that Windows needs is ignored.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
   * await fs.symlink('notes/today.md', '/latest')
   * console.log(await fs.readFile('/latest', 'utf8')) // hello
   * ```
   *
   * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG
   */
  symlink(target: PathLike, path: PathLike, type?: string | null, options?: AbortOptions): Promise<void>

  /**
   * Gives a file, link or directory another path, in the place of a file, link or empty directory that is there. Costs no
   * block, whatever is moved.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/draft/index.html', content: 'hello' }])
   * await fs.rename('/draft', '/public')
   * console.log(await fs.readdir('/public')) // [ 'index.html' ]
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ENOTEMPTY, ELOOP, EINVAL for a directory that is to go into itself,
   * EBUSY for the root
   */
  rename(from: PathLike, to: PathLike, options?: AbortOptions): Promise<void>

  /**
   * Removes a file, a link or, where `recursive`, a directory.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/cache/1/data', content: 'old' }])
   * await fs.rm('/cache', { recursive: true })
   * await fs.rm('/cache', { force: true }) // nothing is there, and that is no error
   * console.log(await fs.exists('/cache')) // false
   * ```
   *
   * @throws {FileSystemError} ENOENT unless `force`, ENOTDIR, ELOOP, EBUSY for the root
   * @throws {OperationError} ERR_FS_EISDIR
   */
  rm(path: PathLike, options?: RemoveOptions): Promise<void>

  /**
   * Removes an empty directory; where `recursive`, with all that is in it. Node is about to drop that: use `rm`.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
   * const { code } = await fs.rmdir('/notes').catch(error => error)
   * console.log(code) // ENOTEMPTY
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ENOTEMPTY, ELOOP, EBUSY for the root
   */
  rmdir(path: PathLike, options?: RemoveDirectoryOptions): Promise<void>

  /**
   * Removes a file or link.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * await fs.symlink('notes.md', '/latest')
   * await fs.unlink('/latest') // the link, and not what it leads to
   * console.log(await fs.readdir('/')) // [ 'notes.md' ]
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
   */
  unlink(path: PathLike): Promise<void>
  unlink(path: PathLike, options: AbortOptions): Promise<void>

  /**
   * Copies a file by the CID of its content. `mode` may have `constants.COPYFILE_EXCL`, to refuse a file that is there.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * await fs.copyFile('/notes.md', '/backup.md')
   * const { code } = await fs.copyFile('/notes.md', '/backup.md', fs.constants.COPYFILE_EXCL).catch(error => error)
   * console.log(code) // EEXIST
   * ```
   *
   * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP
   */
  copyFile(from: PathLike, to: PathLike, mode?: number | null, options?: AbortOptions): Promise<void>

  /**
   * Copies a file, a link or, where `recursive`, a directory. Where nothing is in its place and no option asks to look at
   * what is in it, a directory is copied by its CID, and costs no block.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/site/index.html', content: 'hello' }, { path: '/site/.cache', content: 'old' }])
   * await fs.cp('/site', '/public', { recursive: true, filter: source => !source.endsWith('.cache') })
   * console.log(await fs.readdir('/public')) // [ 'index.html' ]
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   * @throws {OperationError} ERR_FS_EISDIR, ERR_FS_CP_EINVAL, ERR_FS_CP_EEXIST, ERR_FS_CP_DIR_TO_NON_DIR,
   * ERR_FS_CP_NON_DIR_TO_DIR
   */
  cp(from: string | URL, to: string | URL, options?: CopyOptions): Promise<void>

  /**
   * Records permission bits of what a path leads to.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/backup.sh', 'tar -c notes')
   * await fs.chmod('/backup.sh', 0o755)
   * await fs.access('/backup.sh', fs.constants.X_OK)
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root, which has no attributes
   */
  chmod(path: PathLike, mode: number | string, options?: AbortOptions): Promise<void>

  /**
   * Records when what a path leads to was changed. There is no time of access in a tree: `atime` is checked and dropped.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/photo.jpg', 'a picture')
   * const taken = new Date('2026-01-01')
   * await fs.utimes('/photo.jpg', taken, taken)
   * console.log((await fs.stat('/photo.jpg')).mtime.getFullYear()) // 2026
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root
   */
  utimes(path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void>

  /**
   * As `utimes`, but of a link at the end of the path itself.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('notes/today.md', '/latest')
   * await fs.lutimes('/latest', 0, 1_000)
   * console.log((await fs.lstat('/latest')).mtimeMs) // 1000000
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root
   */
  lutimes(path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void>

  /**
   * A tree has no hard links.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * const { code } = await fs.link('/notes.md', '/same.md').catch(error => error)
   * console.log(code) // ENOTSUP
   * await fs.copyFile('/notes.md', '/same.md') // stores no byte twice
   * ```
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  link(from: PathLike, to: PathLike): Promise<void>

  /**
   * A tree has no owners.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes.md', content: 'hello', meta: { owner: 'ada' } }]) // may hold one of your own
   * const { code } = await fs.chown('/notes.md', 1_000, 1_000).catch(error => error)
   * console.log(code) // ENOTSUP
   * ```
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  chown(path: PathLike, uid: number, gid: number): Promise<void>

  /**
   * A tree has no owners.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('notes.md', '/latest')
   *
   * await fs.lchown('/latest', 1_000, 1_000).catch(({ code, syscall, path }) => {
   *   console.log(code, syscall, path) // ENOTSUP lchown /latest
   * })
   * ```
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  lchown(path: PathLike, uid: number, gid: number): Promise<void>

  /**
   * A link has no permission bits.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('notes.md', '/latest')
   * const { code } = await fs.lchmod('/latest', 0o600).catch(error => error)
   * console.log(code, (await fs.lstat('/latest')).mode.toString(8)) // ENOTSUP 120777
   * ```
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  lchmod(path: PathLike, mode: number | string): Promise<void>

  /**
   * A web stream that writes a file, which is emptied first unless `flags` say otherwise. Where the file cannot be opened,
   * the stream fails. One that is aborted leaves what was written.
   *
   * @example
   *
   * ```ts
   * const response = new Response('a page')
   * await response.body?.pipeTo(fs.createWriteStream('/page.html'))
   * console.log(await fs.readFile('/page.html', 'utf8')) // a page
   * ```
   *
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError}
   */
  createWriteStream(path: PathLike, options?: PathWriteStreamOptions): WritableStream<Uint8Array | string>
}
