import { concat } from '../bytes.ts'
import { FileSystemError, InvalidOptionError } from '../errors.ts'
import { readFile } from '../file/index.ts'
import { checkOptions, integerOption } from '../options.ts'
import { absolutePath, joinPath } from '../path.ts'
import { resolve, walk } from '../tree/index.ts'
import { readMode, toPath } from './arguments.ts'
import { constants } from './constants.ts'
import { entryInfo } from './entry-info.ts'
import { readFlags } from './flags.ts'
import { readStream } from './handle/byte-streams.ts'
import { Descriptor } from './handle/descriptor.ts'
import { FileHandle } from './handle/file-handle.ts'
import { isStored } from './operations/place.ts'
import { statsOf } from './stats.ts'
import { openStored } from './stored-file.ts'
import type { PathLike } from './arguments.ts'
import type { OpenFlags } from './flags.ts'
import type { AbortOptions } from '../options.ts'
import type { EntryInfo } from './entry-types.ts'
import type { OpenFile } from './handle/open-file.ts'
import type { PathReadStreamOptions } from './handle/types.ts'
import type { BigIntStats, Stats } from './stats.ts'
import type { CatOptions, ListOptions, ReadFileOptions, ReadonlyDagFs, StatOptions } from './types.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ResolveOptions, TreeDirectory, TreeFile, TreeNode } from '../tree/index.ts'

/**
 * The reading half of the API, over whatever the root is at the time of a call.
 */
export class View implements ReadonlyDagFs {
  readonly constants = constants
  readonly #blocks: BlockReader
  readonly #root: (options: AbortOptions) => Promise<TreeDirectory>
  /** The number of the handle that was opened last; those before it are the standard streams elsewhere */
  #lastNumber = 2

  constructor (blocks: BlockReader, root: (options: AbortOptions) => Promise<TreeDirectory>) {
    this.#blocks = blocks
    this.#root = root
  }

  async readFile (path: string, options?: ReadFileOptions & { encoding?: undefined }): Promise<Uint8Array>
  async readFile (path: string, options: 'utf8' | 'utf-8' | (ReadFileOptions & { encoding: string })): Promise<string>
  async readFile (path: string, options: string | ReadFileOptions = {}): Promise<Uint8Array | string> {
    const { encoding, ...rest } = readFileOptions(options)
    const file = await this.#file(path, rest)
    const parts: Uint8Array[] = []

    for await (const part of this.#bytes(file, 0, file.size, rest)) {
      parts.push(part)
    }

    // a copy: what a store hands out may be its own
    const bytes = concat(parts)

    return encoding === undefined ? bytes : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
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
  async stat (path: PathLike, options: StatOptions = {}): Promise<Stats | BigIntStats> {
    return statsOf(await this.#node(toPath(path, 'stat'), 'stat', options), options)
  }

  async lstat (path: PathLike, options?: StatOptions & { bigint?: false }): Promise<Stats>
  async lstat (path: PathLike, options: StatOptions & { bigint: true }): Promise<BigIntStats>
  async lstat (path: PathLike, options: StatOptions = {}): Promise<Stats | BigIntStats> {
    return statsOf(await this.#node(toPath(path, 'lstat'), 'lstat', { ...options, keepLink: true }), options)
  }

  async * walk (path: string = '/', options: AbortOptions = {}): AsyncGenerator<EntryInfo> {
    checkOptions(options, ['signal'])
    const directory = await this.#directory(path, 'scandir', options)

    for await (const found of walk(directory, absolutePath(path), options)) {
      yield entryInfo(found.node, found.path)
    }
  }

  async open (path: PathLike, flags?: string | number | null, mode?: number | string | null): Promise<FileHandle> {
    return new FileHandle(await this.openDescriptor(toPath(path, 'open'), readFlags(flags), readMode(mode)))
  }

  createReadStream (path: PathLike, options: PathReadStreamOptions = {}): ReadableStream<Uint8Array> {
    const given = toPath(path, 'open')
    const { flags, mode, ...rest } = options
    const [asked, bits] = [readFlags(flags), readMode(mode)]

    return readStream(async () => this.openDescriptor(given, asked, bits), rest)
  }

  /** Opens what a path leads to, to be closed once. */
  protected async openDescriptor (path: string, flags: OpenFlags, mode: number | undefined): Promise<Descriptor> {
    const file = await this.openFile(path, flags, mode)

    return new Descriptor(file, flags, ++this.#lastNumber)
  }

  /**
   * Opens what a path leads to.
   *
   * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, and EROFS where it is to be made or written to
   */
  async openFile (path: string, flags: OpenFlags, mode?: number, options: AbortOptions = {}): Promise<OpenFile> {
    return openStored(this.#blocks, await this.#root(options), path, flags, options)
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
      throw new FileSystemError('EISDIR', 'read', path)
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

function readFileOptions (options: string | ReadFileOptions): ReadFileOptions {
  const given = typeof options === 'string' ? { encoding: options } : options
  checkOptions(given, ['encoding', 'signal'])

  if (given.encoding !== undefined && given.encoding !== 'utf8' && given.encoding !== 'utf-8') {
    throw new InvalidOptionError('encoding', "must be 'utf8'; read bytes and decode them for others")
  }

  return given as ReadFileOptions
}
