import { throwIfAborted, turnToAbort } from '../abort.ts'
import { gather } from '../bytes.ts'
import { FileSystemError } from '../errors.ts'
import { readFile } from '../file/index.ts'
import { checkOptions, integerOption } from '../options.ts'
import { absolutePath, joinPath } from '../path.ts'
import { canonicalPath, resolve } from '../tree/index.ts'
import { setInstance } from './detach.ts'
import { entryInfo } from './entry-info.ts'
import { isFileHandle } from './handle/is-file-handle.ts'
import { readPathStream } from './handle/path-streams.ts'
import { checkBits, checkInteger, readMode, readOptions, readSignal, toPath } from './node-api/arguments.ts'
import { constants } from './node-api/constants.ts'
import { decodeText } from './node-api/encoding.ts'
import { readFlags } from './node-api/flags.ts'
import { statsOf } from './node-api/stats.ts'
import { checkWhole } from './node-api/whole-file.ts'
import { isStored, locatePresent } from './operations/place.ts'
import { encodeName, readDirectory } from './operations/read-directory.ts'
import type { LimitOptions } from '../budget.ts'
import type { AbortOptions } from '../options.ts'
import type { EntryInfo } from './entry-types.ts'
import type { GlobOptions } from './glob.ts'
import type { FileSystemErrorCode } from '../errors.ts'
import type { Descriptor } from './handle/descriptor.ts'
import type { FileHandle } from './handle/file-handle.ts'
import type { OpenFile } from './handle/open-file.ts'
import type { PathReadStreamOptions } from './handle/types.ts'
import type { DiffOptions, HistoryReader, LoggedSnapshot, LogOptions, TreeDifference } from './history/types.ts'
import type { EncodingOptions, PathLike } from './node-api/arguments.ts'
import type { Dir } from './node-api/dir.ts'
import type { Dirent } from './node-api/dirent.ts'
import type { Encoding } from './node-api/encoding.ts'
import type { OpenFlags } from './node-api/flags.ts'
import type { BigIntStats, Stats } from './node-api/stats.ts'
import type { OpendirOptions, ReaddirOptions } from './operations/read-directory.ts'
import type { CatOptions, ListOptions, ReadFileOptions, ReadonlyDagFs, StatOptions } from './types.ts'
import type { VerifyOptions, VerifyReport } from './verify/types.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ResolveOptions, TreeDirectory, TreeFile, TreeNode } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

/** An open file keeps its view, whose tree garbage collection spares for as long as there is one. */
const viewOf = new WeakMap<OpenFile, View>()

/**
 * The reading half of the API, over whatever the root is at the time of a call.
 */
export class View implements ReadonlyDagFs {
  readonly #blocks: BlockReader
  readonly #root: (options: AbortOptions) => Promise<TreeDirectory>
  /** Is loaded when it is first asked for */
  readonly #history: () => Promise<HistoryReader>
  /** The number of the handle that was opened last; those before it are the standard streams elsewhere */
  #lastNumber = 2

  constructor (blocks: BlockReader, root: (options: AbortOptions) => Promise<TreeDirectory>, history: () => Promise<HistoryReader>) {
    this.#blocks = blocks
    // one promise fewer for each call than where it is async
    this.#root = options => {
      throwIfAborted(options.signal)

      return root(options)
    }
    this.#history = history
    setInstance(this)
  }

  // of the class, so that a filesystem is printed without some sixty numbers
  get constants (): typeof constants {
    return constants
  }

  async readFile (path: PathLike | FileHandle, options: Encoding | (ReadFileOptions & { encoding: Encoding })): Promise<string>
  async readFile (path: PathLike | FileHandle, options?: (ReadFileOptions & { encoding?: 'buffer' | null }) | 'buffer' | null): Promise<Uint8Array>
  async readFile (path: PathLike | FileHandle, options?: Encoding | 'buffer' | ReadFileOptions | null): Promise<Uint8Array | string>
  async readFile (path: PathLike | FileHandle, options?: Encoding | 'buffer' | ReadFileOptions | null): Promise<Uint8Array | string> {
    if (isFileHandle(path)) {
      return path.readFile(options)
    }

    const { encoding, flag, ...rest } = readOptions<ReadFileOptions>(options)
    const given = toPath(path, 'open')
    const bytes = Boolean(flag) && flag !== 'r' ? await this.#readOpened(given, flag, rest) : await this.#wholeFile(given, rest)

    if (rest.signal !== undefined) {
      await turnToAbort(rest.signal)
    }

    return encoding === undefined || encoding === 'buffer' ? bytes : decodeText(bytes, encoding)
  }

  async #wholeFile (path: string, options: AbortOptions): Promise<Uint8Array> {
    const file = await this.#file(path, options)

    // copies: what an entry or a store has may be its own
    if (file.content instanceof Uint8Array) {
      return new Uint8Array(file.content)
    }

    checkWhole(file.size)

    return gather(this.#bytes(file, 0, file.size, options), file.size)
  }

  async #readOpened (path: string, flag: string | number | null | undefined, options: AbortOptions): Promise<Uint8Array> {
    const handle = await this.open(path, flag)

    try {
      return await handle.readFile(options)
    } finally {
      await handle.close()
    }
  }

  async * cat (path: string, options: CatOptions = {}): AsyncGenerator<Uint8Array> {
    checkOptions(options, ['offset', 'length', 'signal'])
    const offset = integerOption('offset', options.offset ?? 0)
    const length = integerOption('length', options.length ?? Number.MAX_SAFE_INTEGER)

    yield * this.#bytes(await this.#file(path, options), offset, length, options)
  }

  async * ls (path: string = '/', options: ListOptions = {}): AsyncGenerator<EntryInfo> {
    checkOptions(options, ['after', 'limit', 'signal'])
    integerOption('limit', options.limit)
    const directory = await this.#directory(path, 'scandir', options)

    for await (const node of directory.view.list(options, options)) {
      yield entryInfo(node, joinPath(absolutePath(path), node.name))
    }
  }

  async stat (path: PathLike, options?: StatOptions & { bigint?: false }): Promise<Stats>
  async stat (path: PathLike, options: StatOptions & { bigint: true }): Promise<BigIntStats>
  async stat (path: PathLike, options: StatOptions & { throwIfNoEntry: boolean }): Promise<Stats | BigIntStats | undefined>
  async stat (path: PathLike, options: StatOptions & { throwIfNoEntry?: boolean } = {}): Promise<Stats | BigIntStats | undefined> {
    try {
      return statsOf(await this.#node(toPath(path, 'stat'), 'stat', options), options)
    } catch (err) {
      if (options.throwIfNoEntry === false && err instanceof FileSystemError && ['ENOENT', 'ENOTDIR'].includes(err.code)) {
        return
      }

      throw err
    }
  }

  async lstat (path: PathLike, options?: StatOptions & { bigint?: false }): Promise<Stats>
  async lstat (path: PathLike, options: StatOptions & { bigint: true }): Promise<BigIntStats>
  async lstat (path: PathLike, options: StatOptions = {}): Promise<Stats | BigIntStats> {
    return statsOf(await this.#node(toPath(path, 'lstat'), 'lstat', { ...options, keepLink: true }), options)
  }

  async readdir (path: PathLike, options: ReaddirOptions & { withFileTypes: true, encoding: 'buffer' }): Promise<Array<Dirent<Uint8Array>>>
  async readdir (path: PathLike, options: ReaddirOptions & { withFileTypes: true }): Promise<Dirent[]>
  async readdir (path: PathLike, options: 'buffer' | (ReaddirOptions & { encoding: 'buffer' })): Promise<Uint8Array[]>
  async readdir (path: PathLike, options?: Encoding | ReaddirOptions | null): Promise<string[]>
  async readdir (path: PathLike, options?: Encoding | 'buffer' | ReaddirOptions | null): Promise<Array<string | Uint8Array | Dirent<string | Uint8Array>>> {
    const given = toPath(path, 'scandir')
    const read = readOptions<ReaddirOptions>(options)

    const directory = await this.#directory(given, 'scandir', read)
    const list = read.recursive === true ? (await import('./operations/read-below.ts')).readBelow : readDirectory

    return list(directory, given, read)
  }

  async opendir (path: PathLike, options?: Encoding | OpendirOptions | null): Promise<Dir> {
    const given = toPath(path, 'opendir')
    const { encoding, bufferSize, recursive, limits, ...rest } = readOptions<OpendirOptions>(options)
    checkInteger(bufferSize ?? 1, 'options.bufferSize', 1, 2 ** 32 - 1)
    const directory = await this.#directory(given, 'opendir', rest)
    const [{ Dir }, { direntsOf }] = await Promise.all([import('./node-api/dir.ts'), import('./operations/read-below.ts')])

    return new Dir(given, direntsOf(directory, given, { encoding, recursive, limits, ...rest }) as AsyncGenerator<Dirent>)
  }

  async readlink (path: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  async readlink (path: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>
  async readlink (path: PathLike, options?: Encoding | 'buffer' | EncodingOptions | null): Promise<string | Uint8Array> {
    const given = toPath(path, 'readlink')
    const { encoding, ...rest } = readOptions<EncodingOptions>(options)
    const node = await this.#node(given, 'readlink', { ...rest, keepLink: true })

    if (node.kind !== 'symlink') {
      throw new FileSystemError('EINVAL', 'readlink', given)
    }

    return encodeName(node.content, encoding)
  }

  async realpath (path: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  async realpath (path: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>
  async realpath (path: PathLike, options?: Encoding | 'buffer' | EncodingOptions | null): Promise<string | Uint8Array> {
    const given = toPath(path, 'realpath')
    const { encoding, ...rest } = readOptions<EncodingOptions>(options)
    const located = await locatePresent(await this.#root(rest), given, 'realpath', rest)

    return encodeName(canonicalPath(located), encoding)
  }

  async access (path: PathLike, mode?: number | null, options?: AbortOptions): Promise<void> {
    const given = toPath(path, 'access')
    const [asked, waiting] = [checkBits(mode), readSignal(options)]
    const { checkAccess } = await import('./operations/access.ts')
    checkAccess(await this.#node(given, 'access', waiting), given, asked, this.isReadonly)
  }

  async exists (path: PathLike): Promise<boolean>
  async exists (path: PathLike, options: AbortOptions): Promise<boolean>
  async exists (path: PathLike, options?: AbortOptions): Promise<boolean> {
    try {
      await this.#node(toPath(path, 'access'), 'access', readSignal(options))

      return true
    } catch (err) {
      if (err instanceof FileSystemError && isAbsence(err.code)) {
        return false
      }

      throw err
    }
  }

  async * log (from?: CID, options: LogOptions = {}): AsyncGenerator<LoggedSnapshot> {
    yield * (await this.#history()).log(from, options)
  }

  async * diff (before: CID, after?: CID, options: DiffOptions = {}): AsyncGenerator<TreeDifference> {
    yield * (await this.#history()).diff(before, after, options)
  }

  async verify (root?: CID, options: VerifyOptions = {}): Promise<VerifyReport> {
    return (await this.#history()).verify(root, options)
  }

  async statfs (path: PathLike): Promise<never> {
    throw new FileSystemError('ENOTSUP', 'statfs', toPath(path, 'statfs'))
  }

  /** Whether the filesystem refuses all edits. */
  get isReadonly (): boolean {
    return true
  }

  async * walk (path: string = '/', options: LimitOptions = {}): AsyncGenerator<EntryInfo> {
    checkOptions(options, ['signal', 'limits'])
    const directory = await this.#directory(path, 'scandir', { signal: options.signal })
    const { walkBelow } = await import('./operations/read-below.ts')

    yield * walkBelow(directory, path, options)
  }

  async open (path: PathLike, flags?: string | number | null, mode?: number | string | null, options?: AbortOptions): Promise<FileHandle> {
    const [given, asked, bits, waiting] = [toPath(path, 'open'), readFlags(flags), readMode(mode), readSignal(options)]
    // one import, which takes longer than all else where nothing has to be read
    const { Descriptor, FileHandle } = await import('./handle/file-handle.ts')

    return new FileHandle(this.#described(Descriptor, await this.openFile(given, asked, bits, waiting), asked))
  }

  createReadStream (path: PathLike, options: PathReadStreamOptions = {}): ReadableStream<Uint8Array> {
    const given = toPath(path, 'open')
    const { flags, mode, ...rest } = options
    const [asked, bits] = [readFlags(flags), readMode(mode)]

    return readPathStream(async () => this.openDescriptor(given, asked, bits), rest)
  }

  glob (patterns: string | readonly string[], options?: GlobOptions & { withFileTypes?: false }): AsyncGenerator<string, undefined>
  glob (patterns: string | readonly string[], options: GlobOptions & { withFileTypes: true }): AsyncGenerator<Dirent, undefined>
  async * glob (patterns: string | readonly string[], options?: GlobOptions): AsyncGenerator<string | Dirent, undefined> {
    const { glob } = await import('./glob.ts')

    yield * glob(this.#root, patterns, options)
  }

  /** Opens what a path leads to, to be closed once. */
  protected async openDescriptor (path: string, flags: OpenFlags, mode: number | undefined): Promise<Descriptor> {
    const { Descriptor } = await import('./handle/descriptor.ts')

    return this.#described(Descriptor, await this.openFile(path, flags, mode), flags)
  }

  #described (Type: typeof Descriptor, file: OpenFile, flags: OpenFlags): Descriptor {
    return new Type(file, flags, ++this.#lastNumber)
  }

  /**
   * Opens what a path leads to.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, and EROFS where it is to be made or written to
   */
  async openFile (path: string, flags: OpenFlags, mode?: number, options: AbortOptions = {}): Promise<OpenFile> {
    const root = await this.#root(options)
    const { openStored } = await import('./draft/readonly-open-file.ts')
    const file = await openStored(this.#blocks, root, path, flags, options)
    viewOf.set(file, this)

    return file
  }

  #bytes (file: TreeFile, offset: number, length: number, options: AbortOptions): AsyncGenerator<Uint8Array> {
    return isStored(file) ? readFile(this.#blocks, file, offset, length, options) : file.read(offset, length, options)
  }

  async #node (path: string, syscall: string, options: ResolveOptions): Promise<TreeNode> {
    return resolve(await this.#root(options), path, syscall, options)
  }

  async #file (path: string, options: AbortOptions): Promise<TreeFile> {
    const node = await this.#node(path, 'open', options)

    // a link at the end of a path was followed
    if (node.kind !== 'file') {
      throw new FileSystemError('EISDIR', 'read')
    }

    return node
  }

  async #directory (path: string, syscall: string, options: AbortOptions): Promise<TreeDirectory> {
    const node = await this.#node(path, syscall, options)

    if (node.kind !== 'directory') {
      throw new FileSystemError('ENOTDIR', syscall, path)
    }

    return node
  }
}

// what cannot be followed leads to nothing
function isAbsence (code: FileSystemErrorCode): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)
}
