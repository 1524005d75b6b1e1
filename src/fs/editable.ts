import { ArgumentError, FileSystemError } from '../errors.ts'
import { isFileHandle } from './handle/is-file-handle.ts'
import { writePathStream } from './handle/path-streams.ts'
import { checkBits, checkBoolean, checkInteger, checkObject, readMode, readOptions, readSignal, toMode, toPath, toTime, wrongType, wrongValue } from './node-api/arguments.ts'
import { constants } from './node-api/constants.ts'
import { readFlags } from './node-api/flags.ts'
import { open } from './operations/open.ts'
import { encodeName } from './operations/read-directory.ts'
import { truncate, writeFile } from './operations/write-file.ts'
import { View } from './view.ts'
import type { AbortOptions } from '../options.ts'
import type { Workspace } from './draft/workspace.ts'
import type { FileHandle } from './handle/file-handle.ts'
import type { OpenFile } from './handle/open-file.ts'
import type { PathWriteStreamOptions } from './handle/types.ts'
import type { WritableContent } from './handle/write-pieces.ts'
import type { HistoryReader } from './history/types.ts'
import type { EncodingOptions, PathLike, TimeLike } from './node-api/arguments.ts'
import type { Encoding } from './node-api/encoding.ts'
import type { OpenFlags } from './node-api/flags.ts'
import type { CopyOptions } from './operations/copy.ts'
import type { RemoveDirectoryOptions, RemoveOptions } from './operations/remove.ts'
import type { MkdirOptions, PathEdits, TemporaryDirectory, WriteFileOptions } from './path-edits.ts'
import type { WatchEvent, WatchOptions } from './watch.ts'
import type { ResolveOptions } from '../tree/index.ts'

/**
 * The editing half of the API: reads arguments as Node does, and hands them to the operations.
 */
export class EditableView extends View implements PathEdits {
  protected readonly workspace: Workspace

  constructor (workspace: Workspace, history: () => Promise<HistoryReader>) {
    super(workspace.blocks, async options => workspace.root(options), history)
    this.workspace = workspace
  }

  override get isReadonly (): boolean {
    return false
  }

  async writeFile (path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void> {
    await this.#write(path, data, options, 'w')
  }

  async appendFile (path: PathLike | FileHandle, data: WritableContent, options?: Encoding | WriteFileOptions | null): Promise<void> {
    await this.#write(path, data, options, 'a')
  }

  async #write (path: PathLike | FileHandle, data: WritableContent, options: Encoding | WriteFileOptions | null | undefined, defaultFlag: string): Promise<void> {
    if (isFileHandle(path)) {
      return path.writeFile(data, options)
    }

    const given = toPath(path, 'open')
    const { encoding, flag, mode, flush, signal } = readOptions<WriteFileOptions>(options)
    checkBoolean(flush ?? false, 'options.flush')
    const known = encoding === null || encoding === 'buffer' ? undefined : encoding

    await writeFile(this.workspace, { path: given, flags: readFlags(flag || defaultFlag), mode: readMode(mode) }, data, known, { signal })
  }

  watch (path: PathLike, options: WatchOptions & { encoding: 'buffer' }): AsyncGenerator<WatchEvent<Uint8Array>, undefined>
  watch (path: PathLike, options?: WatchOptions): AsyncGenerator<WatchEvent, undefined>
  async * watch (path: PathLike, options?: WatchOptions): AsyncGenerator<WatchEvent<string | Uint8Array>, undefined> {
    // before anything is waited for
    const changes = this.workspace.changes.collect()

    try {
      yield * (await import('./watch.ts')).watch(changes, async () => this.workspace.root({}), path, options)
    } finally {
      changes.stop()
    }
  }

  async truncate (path: PathLike, length: number | null = 0, options?: AbortOptions): Promise<void> {
    const given = toPath(path, 'open')
    const bytes = checkInteger(length ?? 0, 'len', Number.MIN_SAFE_INTEGER)

    await truncate(this.workspace, { path: given, flags: readFlags('r+') }, Math.max(0, bytes), readSignal(options))
  }

  async mkdir (path: PathLike, options: MkdirOptions & { recursive: true }): Promise<string | undefined>
  async mkdir (path: PathLike, options?: number | string | (MkdirOptions & { recursive?: false }) | null): Promise<undefined>
  async mkdir (path: PathLike, options?: number | string | MkdirOptions | null): Promise<string | undefined>
  async mkdir (path: PathLike, options?: number | string | MkdirOptions | null): Promise<string | undefined> {
    const given = toPath(path, 'mkdir')
    const { recursive = false, mode }: MkdirOptions = typeof options === 'number' || typeof options === 'string' ? { mode: options } : options ?? {}
    const [isRecursive, bits, waiting] = [checkBoolean(recursive, 'options.recursive'), readMode(mode), readSignal(options)]

    const { makeDirectories, makeDirectory } = await import('./operations/make.ts')

    return this.workspace.edit(async draft => {
      if (isRecursive) {
        return makeDirectories(this.workspace, draft, given, bits, waiting)
      }

      await makeDirectory(this.workspace, draft, given, bits, waiting)
    }, waiting)
  }

  async mkdtemp (prefix: PathLike, options: 'buffer' | (EncodingOptions & { encoding: 'buffer' })): Promise<Uint8Array>
  async mkdtemp (prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<string>
  async mkdtemp (prefix: PathLike, options?: Encoding | 'buffer' | EncodingOptions | null): Promise<string | Uint8Array> {
    const given = toPath(prefix, 'mkdtemp', 'prefix')
    const { encoding, signal } = readOptions<EncodingOptions>(options)

    const { makeTemporaryDirectory } = await import('./operations/make-temporary.ts')

    return encodeName(await this.workspace.edit(async draft => makeTemporaryDirectory(this.workspace, draft, given, { signal }), { signal }), encoding)
  }

  async mkdtempDisposable (prefix: PathLike, options?: Encoding | EncodingOptions | null): Promise<TemporaryDirectory> {
    const path = await this.mkdtemp(prefix, options)
    const removeIt = async (): Promise<void> => this.rm(path, { recursive: true, force: true })

    return { path, remove: removeIt, [Symbol.asyncDispose]: removeIt }
  }

  async symlink (target: PathLike, path: PathLike, type?: string | null, options?: AbortOptions): Promise<void> {
    // what Windows asks for, and no tree has
    if (![undefined, null, 'dir', 'file', 'junction'].includes(type)) {
      throw wrongValue('type', type, "must be one of: 'dir', 'file', 'junction', null, undefined")
    }

    const [content, given, waiting] = [toPath(target, 'symlink', 'target'), toPath(path, 'symlink'), readSignal(options)]

    const { makeLink } = await import('./operations/make.ts')
    await this.workspace.edit(async draft => makeLink(this.workspace, draft, content, given, waiting), waiting)
  }

  async rename (from: PathLike, to: PathLike, options?: AbortOptions): Promise<void> {
    const [source, target, waiting] = [toPath(from, 'rename', 'oldPath'), toPath(to, 'rename', 'newPath'), readSignal(options)]

    const { rename } = await import('./operations/rename.ts')
    await this.workspace.edit(async draft => rename(this.workspace, draft, source, target, waiting), waiting)
  }

  async rm (path: PathLike, options: RemoveOptions = {}): Promise<void> {
    const given = toPath(path, 'lstat')
    const { force = false } = checkObject(options)
    const checked = { recursive: checkRemoval(options), force: checkBoolean(force, 'options.force') }
    const waiting = readSignal(options)

    const { remove } = await import('./operations/remove.ts')
    await this.workspace.edit(async draft => remove(this.workspace, draft, given, checked, waiting), waiting)
  }

  async rmdir (path: PathLike, options: RemoveDirectoryOptions = {}): Promise<void> {
    const given = toPath(path, 'rmdir')
    checkObject(options)
    const [recursive, waiting] = [checkRemoval(options), readSignal(options)]

    const { removeDirectory } = await import('./operations/remove.ts')
    await this.workspace.edit(async draft => removeDirectory(this.workspace, draft, given, recursive, waiting), waiting)
  }

  async unlink (path: PathLike): Promise<void>
  async unlink (path: PathLike, options: AbortOptions): Promise<void>
  async unlink (path: PathLike, options?: AbortOptions): Promise<void> {
    const [given, waiting] = [toPath(path, 'unlink'), readSignal(options)]

    const { unlink } = await import('./operations/remove.ts')
    await this.workspace.edit(async draft => unlink(this.workspace, draft, given, waiting), waiting)
  }

  async copyFile (from: PathLike, to: PathLike, mode?: number | null, options?: AbortOptions): Promise<void> {
    const [source, target] = [toPath(from, 'copyfile', 'src'), toPath(to, 'copyfile', 'dest')]
    const isExclusive = (checkBits(mode) & constants.COPYFILE_EXCL) !== 0
    const waiting = readSignal(options)

    const { copyFile } = await import('./operations/copy-file.ts')
    await this.workspace.edit(async draft => copyFile(this.workspace, draft, source, target, isExclusive, waiting), waiting)
  }

  async cp (from: string | URL, to: string | URL, options: CopyOptions = {}): Promise<void> {
    const [source, target] = [toPath(from, 'cp', 'src'), toPath(to, 'cp', 'dest')]

    checkObject(options)

    for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks'] as const) {
      checkBoolean(options[name] === undefined ? false : options[name], `options.${name}`)
    }

    checkInteger(options.mode ?? 0, 'mode', 0, 7)

    if (options.dereference === true && options.verbatimSymlinks === true) {
      throw new ArgumentError('ERR_INCOMPATIBLE_OPTION_PAIR', 'Option "dereference" cannot be used in combination with option "verbatimSymlinks"')
    }

    if (options.filter !== undefined && typeof options.filter !== 'function') {
      throw wrongType('options.filter', 'of type function', options.filter)
    }

    const { copy } = await import('./operations/copy.ts')
    await copy(this.workspace, source, target, options)
  }

  async chmod (path: PathLike, mode: number | string, options?: AbortOptions): Promise<void> {
    const given = toPath(path, 'chmod')
    const [bits, waiting] = [toMode(mode), readSignal(options)]

    const { setAttributes } = await import('./operations/attributes.ts')
    await this.workspace.edit(async draft => setAttributes(this.workspace, draft, given, { mode: bits }, 'chmod', waiting), waiting)
  }

  async utimes (path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void> {
    await this.#setTime(path, atime, mtime, 'utime', readSignal(options))
  }

  async lutimes (path: PathLike, atime: TimeLike, mtime: TimeLike, options?: AbortOptions): Promise<void> {
    await this.#setTime(path, atime, mtime, 'lutime', { ...readSignal(options), keepLink: true })
  }

  async #setTime (path: PathLike, atime: TimeLike, mtime: TimeLike, syscall: string, options: ResolveOptions): Promise<void> {
    const given = toPath(path, syscall)
    // checked, though no tree has it
    toTime(atime)
    const time = toTime(mtime)

    const { setAttributes } = await import('./operations/attributes.ts')
    await this.workspace.edit(async draft => setAttributes(this.workspace, draft, given, { mtime: time }, syscall, options), options)
  }

  async link (from: PathLike, to: PathLike): Promise<void> {
    throw new FileSystemError('ENOTSUP', 'link', toPath(from, 'link', 'existingPath'), undefined, toPath(to, 'link', 'newPath'))
  }

  async chown (path: PathLike, _uid: number, _gid: number): Promise<void> {
    throw new FileSystemError('ENOTSUP', 'chown', toPath(path, 'chown'))
  }

  async lchown (path: PathLike, _uid: number, _gid: number): Promise<void> {
    throw new FileSystemError('ENOTSUP', 'lchown', toPath(path, 'lchown'))
  }

  async lchmod (path: PathLike, _mode: number | string): Promise<void> {
    throw new FileSystemError('ENOTSUP', 'lchmod', toPath(path, 'lchmod'))
  }

  createWriteStream (path: PathLike, options: PathWriteStreamOptions = {}): WritableStream<Uint8Array | string> {
    const given = toPath(path, 'open')
    const { flags, mode, ...rest } = options
    const [asked, bits] = [readFlags(flags ?? 'w'), readMode(mode)]

    return writePathStream(async () => this.openDescriptor(given, asked, bits), rest)
  }

  override async openFile (path: string, flags: OpenFlags, mode?: number, options: AbortOptions = {}): Promise<OpenFile> {
    const opened = await open(this.workspace, { path, flags, mode }, options)

    if (opened.kind === 'file') {
      return opened
    }

    const { ReadonlyOpenFile } = await import('./draft/readonly-open-file.ts')

    return new ReadonlyOpenFile(this.workspace.blocks, opened)
  }
}

/** Returns whether to remove what is in directories; the rest is checked as in Node, and there is nothing to try again. */
function checkRemoval ({ recursive = false, retryDelay = 0, maxRetries = 0 }: RemoveDirectoryOptions): boolean {
  checkBoolean(recursive, 'options.recursive')
  checkInteger(retryDelay, 'options.retryDelay', 0, 2 ** 31 - 1)
  checkInteger(maxRetries, 'options.maxRetries', 0, 2 ** 32 - 1)

  return recursive
}
