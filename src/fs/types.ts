import type { CanonicalizeOptions } from './canonicalize/types.ts'
import type { AddedEntry, EntryInfo } from './entry-types.ts'
import type { GcOptions, GcReport } from './gc/types.ts'
import type { GlobOptions } from './glob.ts'
import type { LimitOptions } from '../budget.ts'
import type { AbortOptions } from '../options.ts'
import type { FileHandle } from './handle/file-handle.ts'
import type { PathReadStreamOptions } from './handle/types.ts'
import type { CheckoutOptions, DiffOptions, LoggedSnapshot, LogOptions, MergeOptions, MergeReport, SnapshotOptions, TakenSnapshot, TreeDifference } from './history/types.ts'
import type { EncodingOptions, PathLike } from './node-api/arguments.ts'
import type { constants } from './node-api/constants.ts'
import type { Dir } from './node-api/dir.ts'
import type { Dirent } from './node-api/dirent.ts'
import type { Encoding } from './node-api/encoding.ts'
import type { BigIntStats, Stats } from './node-api/stats.ts'
import type { OpendirOptions, ReaddirOptions } from './operations/read-directory.ts'
import type { PathEdits } from './path-edits.ts'
import type { PinStore } from './publish/pins.ts'
import type { Durability, OpenedRoot, RootInit } from './publish/root-types.ts'
import type { VerifyOptions, VerifyReport } from './verify/types.ts'
import type { BlockStore } from '../blockstore/index.ts'
import type { Time } from '../codec/index.ts'
import type { FileLayout } from '../file/index.ts'
import type { CID } from 'multiformats/cid'
import type { BlockDecoder } from 'multiformats/codecs/interface'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/**
 * What dagfs needs of its surroundings: a Helia node has it, and so has `{ blockstore: new MemoryBlockstore() }`.
 */
export interface DagFsComponents {
  readonly blockstore: BlockStore
  /** Commits pin their root in them, see `pin` */
  readonly pins?: PinStore
  /**
   * Garbage collection needs it to find what the pins of others protect.
   *
   * @example
   *
   * ```ts
   * import * as dagCbor from '@ipld/dag-cbor'
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   *
   * const codecs = [dagCbor]
   *
   * const fs = dagfs({
   *   blockstore: new MemoryBlockstore(),
   *   getCodec (code) {
   *     const codec = codecs.find(codec => codec.code === code)
   *
   *     if (codec === undefined) {
   *       throw new Error(`no codec has the number ${code}`)
   *     }
   *
   *     return codec
   *   }
   * })
   * ```
   */
  getCodec?(code: number): BlockDecoder<number, unknown> | Promise<BlockDecoder<number, unknown>>
}

/** Options of `dagfs()`. */
export interface DagFsInit extends RootInit {
  /**
   * Begin with this tree. Default: an empty directory. A CID does not say which layout its files have: give `layout` too
   * where it is not `dagfs1`
   */
  readonly root?: CID
  /**
   * Do not check blocks from the store against their CIDs. Default: whether the store says that it does so itself
   * (`checksBytes`, as the pack store does).
   */
  readonly trusted?: boolean
  /**
   * How files become blocks. Default: what is recorded under the name, else `dagfs1`. Equal content has equal CIDs within
   * one layout only, so go on with the one that a tree was begun with. `opened()` says where it came from.
   */
  readonly layout?: FileLayout
  /**
   * Bytes of memory that edits may take before parts of them are stored; with pins, as many again for blocks that no commit has
   * pinned. Default: 67,108,864
   */
  readonly draftBytes?: number
  /**
   * The time that is recorded where files, directories and links are made and changed, such as `() => new Date()`.
   * Default: none is recorded, so that equal content has equal CIDs whenever it was written
   *
   * @example
   *
   * ```ts
   * const dated = dagfs({ blockstore }, { clock: () => new Date('2026-01-01') })
   * await dated.writeFile('/notes.md', 'hello')
   * console.log((await dated.stat('/notes.md')).mtime.toISOString()) // 2026-01-01T00:00:00.000Z
   * ```
   */
  clock?(): Date | Time
  /** Refuse all edits, with EROFS. Default: false */
  readonly readonly?: boolean
}

/** Where an entry was added and how many bytes its content has. */
export interface AddProgress {
  readonly path: string
  readonly kind: EntryInfo['kind']
  readonly size: number
}

/** What `fs.addAll()` passes to `onProgress`. */
export type AddProgressEvents = ProgressEvent<'dagfs:add:entry', AddProgress>

/** Options of `fs.addAll()`. */
export interface AddOptions extends AbortOptions, ProgressOptions<AddProgressEvents> {
  /**
   * Called where the content of a file cannot be read, with what its source threw. Return true to leave the file out and
   * go on. Default: give up
   *
   * @example
   *
   * ```ts
   * async function * broken () {
   *   throw new Error('no such disk')
   * }
   *
   * const { files } = await fs.addAll([{ path: '/a.txt', content: broken() }, { path: '/b.txt', content: 'hello' }], {
   *   skip: (error, path) => path === '/a.txt'
   * })
   * console.log(files) // 1
   * ```
   */
  skip?(error: unknown, path: string): boolean
}

/** What was added. */
export interface AddReport {
  readonly files: number
  readonly directories: number
  readonly symlinks: number
  /** Bytes of all files */
  readonly bytes: number
}

/** Options of `fs.ls()`. */
export interface ListOptions extends AbortOptions {
  /** List the entries whose names come after this one, which need not exist. Default: from the first */
  readonly after?: string
  /** List at most this many. Default: all */
  readonly limit?: number
}

/** Options of `fs.cat()`. */
export interface CatOptions extends AbortOptions {
  /** The first byte to read. Default: 0 */
  readonly offset?: number
  /** How many bytes to read; fewer where the file ends. Default: to the end */
  readonly length?: number
}

/** Options of `fs.stat()` and `fs.lstat()`. */
export interface StatOptions extends AbortOptions {
  /** Return bigints, and times in nanoseconds. Default: false */
  readonly bigint?: boolean
}

/** Options of `fs.readFile()`. */
export interface ReadFileOptions extends EncodingOptions {
  /** What to open the file for. Default: `'r'` */
  readonly flag?: string | number | null
}

/**
 * What a commit made.
 */
export interface Commit {
  /** The CID of the whole tree */
  readonly root: CID
  /** What the stores guarantee for it */
  readonly durability: Durability
}

/**
 * A filesystem to read from.
 */
export interface ReadonlyDagFs {
  /**
   * Reads a whole file, as bytes or, with an encoding, as a string.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * console.log(await fs.readFile('/notes.md', 'utf8')) // hello
   * console.log((await fs.readFile('/notes.md')).byteLength) // 5
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, and EBADF for flags that do not read
   * @throws {ArgumentError} for options or flags that cannot be used
   * @throws {FileTooLargeError} above 2 GiB, as in Node: `cat` and `createReadStream` read such a file in pieces
   */
  readFile(path: PathLike | FileHandle, options: Encoding | (ReadFileOptions & { encoding: Encoding })): Promise<string>
  readFile(path: PathLike | FileHandle, options?: (ReadFileOptions & { encoding?: 'buffer' | null }) | 'buffer' | null): Promise<Uint8Array>
  readFile(path: PathLike | FileHandle, options?: Encoding | 'buffer' | ReadFileOptions | null): Promise<Uint8Array | string>

  /**
   * The names in a directory in the order of their UTF-8 bytes, or its entries as Node's `Dirent`. Where `recursive`, each
   * directory comes before what is in it, and names are paths from the directory that is read; `walk` and `opendir` hold none of
   * them.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }, { path: '/todo.md', content: 'sleep' }])
   * console.log(await fs.readdir('/')) // [ 'notes', 'todo.md' ]
   * console.log(await fs.readdir('/', { recursive: true })) // [ 'notes', 'notes/today.md', 'todo.md' ]
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   * @throws {LimitExceededError} where there is more below than `limits` allow: 1,000,000 entries, 4,000,000 blocks and 1 GiB, unless given
   */
  readdir(path: PathLike, options: ReaddirOptions & { withFileTypes: true, encoding: 'buffer' }): Promise<Array<Dirent<Uint8Array>>>
  readdir(path: PathLike, options: ReaddirOptions & { withFileTypes: true }): Promise<Dirent[]>
  readdir(path: PathLike, options: 'buffer' | (ReaddirOptions & { encoding: 'buffer' })): Promise<Uint8Array[]>
  readdir(path: PathLike, options?: Encoding | ReaddirOptions | null): Promise<string[]>

  /**
   * Opens a directory, to list it entry by entry.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/photos/1.jpg', content: 'one' }, { path: '/photos/2.jpg', content: 'two' }])
   *
   * for await (const entry of await fs.opendir('/photos')) {
   *   console.log(entry.name, entry.isFile()) // 1.jpg true, 2.jpg true
   * }
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  opendir(path: PathLike, options?: Encoding | OpendirOptions | null): Promise<Dir>

  /**
   * The target of a symbolic link.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('notes/today.md', '/latest')
   * console.log(await fs.readlink('/latest')) // notes/today.md
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, EINVAL for what is no link
   */
  readlink(path: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  readlink(path: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>

  /**
   * The path from the root on which no link, `.` or `..` is.
   *
   * @example
   *
   * ```ts
   * await fs.mkdir('/releases/2', { recursive: true })
   * await fs.symlink('releases/2', '/current')
   * console.log(await fs.realpath('/current/../../releases/2')) // /releases/2
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  realpath(path: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  realpath(path: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>

  /**
   * Checks that a path leads to something and, for `constants.X_OK`, that it has a bit of execution. There are no users:
   * everything can be read and, where the filesystem is not read-only, written.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/backup.sh', 'tar -c notes', { mode: 0o644 })
   * const error = await fs.access('/backup.sh', fs.constants.X_OK).catch(error => error)
   * console.log(error.code) // EACCES
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, EACCES for what has no bit of execution, EROFS
   */
  access(path: PathLike, mode?: number | null, options?: AbortOptions): Promise<void>

  /**
   * Whether a path leads to something. A failure of the store rejects: it says nothing about the path.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/config.json', '{}')
   * console.log(await fs.exists('/config.json'), await fs.exists('/cache')) // true false
   * ```
   */
  exists(path: PathLike): Promise<boolean>
  exists(path: PathLike, options: AbortOptions): Promise<boolean>

  /**
   * A tree is on no disk whose figures there could be; a store may know its own.
   *
   * @example
   *
   * ```ts
   * const { code } = await fs.statfs('/').catch(error => error)
   * console.log(code) // ENOTSUP
   * ```
   *
   * @throws {FileSystemError} ENOTSUP always
   */
  statfs(path: PathLike): Promise<never>

  /**
   * Reads a file, or a range of it, piece by piece. Only the blocks that hold the range are fetched. The pieces may be
   * the store's own bytes: do not write to them.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/log.txt', 'begin, work, end')
   *
   * for await (const piece of fs.cat('/log.txt', { offset: 7, length: 4 })) {
   *   console.log(new TextDecoder().decode(piece)) // work
   * }
   * ```
   *
   * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
   */
  cat(path: string, options?: CatOptions): AsyncGenerator<Uint8Array>

  /**
   * Lists a directory in the order of its names' UTF-8 bytes, with all that is known of each entry and without a fetch
   * for any of them. To go on where a listing ended, pass the last name as `after`.
   *
   * @example
   *
   * ```ts
   * await fs.addAll(['1.jpg', '2.jpg', '3.jpg'].map(name => ({ path: `/photos/${name}`, content: name })))
   *
   * for await (const { name, size } of fs.ls('/photos', { after: '1.jpg', limit: 1 })) {
   *   console.log(name, size) // 2.jpg 5
   * }
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  ls(path?: string, options?: ListOptions): AsyncGenerator<EntryInfo>

  /**
   * What is known of a path, as Node's `Stats`. Symbolic links are followed. With `throwIfNoEntry: false`, undefined where nothing is
   * there.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/backup.sh', 'tar -c notes', { mode: 0o755 })
   * const { size, mode } = await fs.stat('/backup.sh')
   * console.log(size, (mode & 0o777).toString(8)) // 12 755
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  stat(path: PathLike, options?: StatOptions & { bigint?: false }): Promise<Stats>
  stat(path: PathLike, options: StatOptions & { bigint: true }): Promise<BigIntStats>
  stat(path: PathLike, options: StatOptions & { throwIfNoEntry: boolean }): Promise<Stats | BigIntStats | undefined>
  stat(path: PathLike, options?: StatOptions): Promise<Stats | BigIntStats>

  /**
   * As `stat`, but a symbolic link at the end of the path is not followed.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * await fs.symlink('notes.md', '/latest')
   * console.log((await fs.lstat('/latest')).kind, (await fs.stat('/latest')).kind) // symlink file
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   */
  lstat(path: PathLike, options?: StatOptions & { bigint?: false }): Promise<Stats>
  lstat(path: PathLike, options: StatOptions & { bigint: true }): Promise<BigIntStats>
  lstat(path: PathLike, options?: StatOptions): Promise<Stats | BigIntStats>

  /**
   * Opens a file, as Node does: for the flags `'r'`, `'r+'`, `'w'`, `'wx'`, `'w+'`, `'a'`, `'ax'`, `'a+'` and their like, or
   * bits of `constants`. A new file has the permission bits of `mode` without those of the umask 0o022; without `mode`
   * none are recorded. Close it, or declare it with `await using`.
   *
   * @example
   *
   * ```ts
   * const handle = await fs.open('/log.txt', 'a')
   *
   * try {
   *   await handle.write('started\n')
   * } finally {
   *   await handle.close()
   * }
   * ```
   *
   * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP, EROFS
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError}
   */
  open(path: PathLike, flags?: string | number | null, mode?: number | string | null, options?: AbortOptions): Promise<FileHandle>

  /**
   * Reads a file, or the bytes from `start` to `end`, itself included, as a web stream of bytes. The stream has one version of
   * the file, that of its opening: later writes do not show. Where the file cannot be opened, the stream fails.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello world')
   * const response = new Response(fs.createReadStream('/notes.md', { start: 6 }))
   * console.log(await response.text()) // world
   * ```
   *
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError}
   */
  createReadStream(path: PathLike, options?: PathReadStreamOptions): ReadableStream<Uint8Array>

  /**
   * Finds what glob patterns match, as Node does: paths as the pattern reaches them, from `cwd` on, in Node's order. `*` and
   * `**` leave out names that begin with a dot. `**` follows a link only where it begins with it, unless `followSymlinks` is set.
   * Time is bounded by the length of a name times that of the pattern.
   *
   * @example
   *
   * ```ts
   * await fs.addAll(['/notes/monday.md', '/notes/photo.jpg', '/old/friday.md'].map(path => ({ path, content: '' })))
   *
   * for await (const path of fs.glob('notes/*day.{md,txt}')) {
   *   console.log(path) // notes/monday.md
   * }
   * ```
   *
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   * @throws {InvalidOptionError} where a pattern is longer than 65,536 characters or its braces stand for more than 10,000 patterns
   * @throws {LimitExceededError} where several patterns match more than `maxEntries`, 1,000,000 unless given; where more is looked
   * at than `limits` allow, 4,000,000 entries, 16,000,000 blocks and 8 GiB unless given
   */
  glob(patterns: string | readonly string[], options?: GlobOptions & { withFileTypes?: false }): AsyncGenerator<string, undefined>
  glob(patterns: string | readonly string[], options: GlobOptions & { withFileTypes: true }): AsyncGenerator<Dirent, undefined>
  glob(patterns: string | readonly string[], options?: GlobOptions): AsyncGenerator<string | Dirent, undefined>

  /**
   * The numbers of Node, with the values they have on Linux.
   *
   * @example
   *
   * ```ts
   * const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
   * await using lock = await fs.open('/lock', O_WRONLY | O_CREAT | O_EXCL)
   * ```
   */
  readonly constants: typeof constants

  /**
   * Lists everything below a directory, each directory before what is in it. Symbolic links are not followed. Nothing is held, so
   * there are no limits unless `limits` are given.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/old/2025.md', content: 'hello' }])
   *
   * for await (const { kind, path } of fs.walk('/notes')) {
   *   console.log(kind, path) // directory /notes/old, file /notes/old/2025.md
   * }
   * ```
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
   * @throws {LimitExceededError} below 1,024 segments, or where more is read than `limits` allow
   */
  walk(path?: string, options?: LimitOptions): AsyncGenerator<EntryInfo>

  /**
   * The history behind a snapshot, by default the last one, or that which `at()` was given: each once and after all that
   * follow it, those of the highest generation first, then the latest. Where the store lacks a parent, the snapshot says so
   * in `missing`.
   *
   * @example
   *
   * ```ts
   * await fs.snapshot({ message: 'Begin' })
   * await fs.snapshot({ message: 'Go on' })
   *
   * for await (const { message, parents } of fs.log()) {
   *   console.log(message, parents.length) // Go on 1, Begin 0
   * }
   * ```
   *
   * @throws {InvalidNodeError} where a snapshot contradicts its parents
   */
  log(from?: CID, options?: LogOptions): AsyncGenerator<LoggedSnapshot>

  /**
   * What differs between two trees or snapshots, names in order, each directory before what is in it. Without a second
   * one, the tree as it is now, edits that are not committed included. It costs what differs, however large the trees.
   *
   * @example
   *
   * ```ts
   * const { tree } = await fs.snapshot()
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
   *
   * for await (const { kind, path } of fs.diff(tree)) {
   *   console.log(kind, path) // added /notes, added /notes/today.md
   * }
   * ```
   */
  diff(before: CID, after?: CID, options?: DiffOptions): AsyncGenerator<TreeDifference>

  /**
   * Verifies every block below a root: a tree, a snapshot or a file. The default is the root of the filesystem, without
   * uncommitted edits.
   *
   * Each block is read from the store again and compared with its CID. Nodes are decoded strictly and compared with what
   * links to them. So a tree without problems is the one that a fresh import makes. It also finds blocks that the store
   * never had, which no check of the store alone can miss. It changes nothing and fetches nothing from a network.
   *
   * It takes about 80 bytes of memory for each block.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/today.md', 'hello'.repeat(1_000))
   * const { root } = await fs.commit()
   *
   * for await (const { cid } of fs.ls()) {
   *   if (cid !== undefined) {
   *     await blockstore.delete(cid)
   *   }
   * }
   *
   * const { blocks, problems } = await fs.verify(root)
   * console.log(blocks, problems.map(({ kind, path }) => `${kind} ${path}`)) // 1 [ 'missing /today.md' ]
   * ```
   *
   * @throws {LimitExceededError} where more is read than `limits` allow
   * @throws {InvalidOptionError} for a root that cannot be one, and for unknown or invalid options
   */
  verify(root?: CID, options?: VerifyOptions): Promise<VerifyReport>
}

/**
 * A filesystem to read from and write to.
 */
export interface DagFs extends ReadonlyDagFs, PathEdits {
  /**
   * Adds entries, in any order, to what is there. Files and links take the place of files and links; directories are
   * merged. All of them are added, or, where it fails or is aborted, none. They can be read at once and are part of the
   * tree from the next commit on.
   *
   * @example
   *
   * ```ts
   * const { files, bytes } = await fs.addAll([
   *   { path: '/photos/1.jpg', content: new Uint8Array(1_000), meta: { author: 'Ada' } },
   *   { path: '/latest', kind: 'symlink', target: 'photos/1.jpg' }
   * ])
   * console.log(files, bytes) // 1 1000
   * ```
   *
   * @throws {FileSystemError} EINVAL for an unsafe path, EISDIR, ENOTDIR and EEXIST where something else is in the way
   */
  addAll(entries: Iterable<AddedEntry> | AsyncIterable<AddedEntry>, options?: AddOptions): Promise<AddReport>

  /**
   * Stores what was added and makes it the root, and publishes it where the handle has a name. Where it fails, the old root
   * stands, the edits are kept, and committing again works.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * const { root, durability } = await fs.commit()
   * console.log(String(root), durability) // bafy… none
   * ```
   *
   * @throws {RootConflictError} where somebody else has published another root under the name: merge it, and commit again
   * @throws {RootRemovedError} where somebody else has removed the name: check out `error.ours`, and commit again
   * @throws {MissingBlockError} where somebody else has deleted blocks that were put since the last commit and are not held in
   * memory; `path` says what to write again
   * @throws {LimitExceededError} where a changed file has to be stored anew as a whole, because it has another layout, and more of it
   * is to be read than `limits` allow: 1,000,000 blocks and 16 GiB of each file, unless given
   */
  commit(options?: LimitOptions): Promise<Commit>

  /**
   * Removes the name of this handle from its `roots`, and drops the pin of its root. `gc()` deletes what only the name
   * reached, once no handle stands on it. Edits stay, and the next `commit()` of this handle publishes the name anew. Other
   * handles with the name get a RootRemovedError from `commit()`. Where the name is gone already, it does nothing.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs, memoryRoots } from 'dagfs'
   *
   * const roots = memoryRoots()
   * const fs = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'draft', roots })
   * await fs.writeFile('/index.html', 'hello')
   * await fs.commit()
   *
   * await fs.unpublish()
   * console.log(await roots.get('draft')) // undefined
   * ```
   *
   * @throws {RootConflictError} where somebody else has published another root under the name; it stays
   * @throws {InvalidOptionError} where the handle has no name
   */
  unpublish(options?: AbortOptions): Promise<void>

  /**
   * Opens any tree for reading, by its root or by a snapshot of it. The root directory of a snapshot has the attributes
   * that the snapshot carries.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'first')
   * const { root } = await fs.commit()
   * await fs.writeFile('/notes.md', 'second')
   * console.log(await fs.at(root).readFile('/notes.md', 'utf8')) // first
   * ```
   */
  at(root: CID): ReadonlyDagFs

  /**
   * The root that this handle stands on, before edits that are not committed. Where the root that was published under its
   * name is not in the blockstore, the handle opens the one before it, and says so here. It also says what decides how
   * edits store files: a CID alone does not, so edits of a tree that was opened by one use `dagfs1` unless `layout` is given.
   *
   * @example
   *
   * ```ts
   * const { root } = await fs.commit()
   * await fs.writeFile('/notes.md', 'hello')
   * const opened = await fs.opened()
   * console.log(opened.root?.equals(root), opened.layout) // true default
   * ```
   */
  opened(options?: AbortOptions): Promise<OpenedRoot>

  /**
   * Deletes the blocks that nothing reaches any more. What stays: all that the roots in `roots` reach, with the root before
   * each and the whole history that is there; what any handle, view or open file over the same blockstore object reads or
   * has put and not committed; what pins protect; and `keep`. Everything else in the blockstore goes, whoever put it, so a
   * blockstore that is shared with others belongs in a Helia node whose pins name what they need. Other processes must not
   * write to the blockstore meanwhile. Of the store it needs `delete` and `getAll`.
   *
   * It takes some 100 bytes of memory for each block that stays and 33 for each that goes.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/video.mp4', new Uint8Array(2 ** 20))
   * await fs.commit()
   * await fs.rm('/video.mp4')
   * await fs.commit()
   * console.log((await fs.gc()).bytes > 2 ** 20) // true
   * ```
   *
   * @throws {InvalidOptionError} where the blockstore cannot list or delete
   * @throws {MissingBlockError} where what is to stay lacks a block, so that nobody can know what is below it; nothing was
   * deleted
   */
  gc(options?: GcOptions): Promise<GcReport>

  /**
   * Commits, and puts the tree into the history: as what follows the last snapshot, and those that were merged since.
   * The CID of the tree does not change by it.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
   * await fs.snapshot({ message: 'begin', time: new Date() })
   *
   * for await (const { generation, message } of fs.log()) {
   *   console.log(generation, message) // 0 begin
   * }
   * ```
   *
   * @throws {InvalidNodeError} where a message or meta is too long, or a parent is no snapshot
   */
  snapshot(options?: SnapshotOptions): Promise<TakenSnapshot>

  /**
   * Goes on from another tree or snapshot. After that of a snapshot, the next one follows it; a tree has no history, so the
   * next one follows the last snapshot still. It is the root of a name from the next commit on. Files that are open keep
   * their paths where these lead to the same as before.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'first')
   * const first = await fs.snapshot()
   * await fs.writeFile('/notes.md', 'second')
   * await fs.checkout(first.cid, { force: true })
   * console.log(await fs.readFile('/notes.md', 'utf8')) // first
   * ```
   *
   * @throws {FileSystemError} EBUSY where there are edits that are not committed
   */
  checkout(target: CID, options?: CheckoutOptions): Promise<void>

  /**
   * Takes what was changed in another tree or snapshot into this one, as edits that are not committed. What one side
   * alone changed is taken, field by field; of two times of modification the later one. What cannot be merged is a
   * conflict, for the strategy to settle. A rename counts as an entry that was removed and one that was added.
   *
   * After a snapshot was merged, the next one follows both, or it alone where it was ahead.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.txt', 'hello')
   * const begin = await fs.snapshot()
   *
   * const other = dagfs({ blockstore })
   * await other.checkout(begin.cid)
   * await other.writeFile('/notes.txt', 'hello world')
   * const theirs = await other.snapshot()
   *
   * await fs.writeFile('/notes.txt', 'goodbye')
   * await fs.snapshot()
   * const { conflicts } = await fs.merge(theirs.cid, { strategy: 'both' })
   * const { parents } = await fs.snapshot({ message: 'merge' })
   *
   * console.log(conflicts.length, parents.length) // 1 2
   * ```
   *
   * @throws {MergeConflictError} where the strategy leaves a conflict; nothing was changed
   * @throws {InvalidOptionError} where no base is given and none can be found
   */
  merge(theirs: CID, options?: MergeOptions): Promise<MergeReport>

  /**
   * Stores a tree as this filesystem writes it, and returns the new root. It takes a tree or a snapshot of one. A tree that
   * another program wrote may have other blocks for the same content; then its root differs, and so do comparisons and
   * merges. The new root is the one that writing the same content anew gives. Blocks that are right already are kept.
   *
   * Claimed sizes of directories are computed again. Chunks of files that are kept are not read, so run `verify()` on a tree
   * that you do not trust. The handle itself does not move: pass the root to `checkout()`, or open it. `gc()` spares the
   * new blocks until the next commit of this handle.
   *
   * It takes some 300 bytes of memory for each directory.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs, fixedSize } from 'dagfs'
   *
   * const blockstore = new MemoryBlockstore()
   * const foreign = dagfs({ blockstore }, { layout: { chunker: fixedSize(1_000), width: 10, inlineBytes: 0 } })
   * await foreign.writeFile('/data', new Uint8Array(10_000))
   * const { root } = await foreign.commit()
   *
   * const fs = dagfs({ blockstore })
   * await fs.writeFile('/data', new Uint8Array(10_000))
   * const { root: own } = await fs.commit()
   *
   * console.log(own.equals(root), own.equals(await fs.canonicalize(root))) // false true
   * ```
   *
   * @throws {InvalidNodeError} where the tree contradicts itself, so that it cannot be read
   * @throws {LimitExceededError} where it is more than 1,024 directories deep, or larger than `limits` allow
   * @throws {InvalidOptionError} for a root that cannot be one, and for unknown or invalid options
   */
  canonicalize(root: CID, options?: CanonicalizeOptions): Promise<CID>
}
