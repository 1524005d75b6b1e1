import fs from 'node:fs'
import path from 'node:path'
import { CustomProgressEvent } from 'progress-events'
import { SourceChangedError, InvalidOptionError } from '../../errors.ts'
import { checkOptions } from '../../options.ts'
import { pace } from '../../pace.ts'
import { absolutePath } from '../../path.ts'
import { walkHost } from './host-walk.ts'
import { readAtOnceBytes, readHostFile, readInPieces } from './read-host-file.ts'
import type { HostEntry, Refuse } from './host-walk.ts'
import type { ImportOptions, ImportReport, SkippedEntry, TransferProgress } from './types.ts'
import type { Time } from '../../codec/index.ts'
import type { AddedEntry, AddProgress, DagFs } from '../../fs/index.ts'

// pieces are chunks of the default layout, so that they need not be copied together
const pieceBytes = 2 ** 20

/**
 * Imports what is in a host directory: files, directories, empty ones included, and symbolic links as links. Commit to
 * make it part of the root.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { importDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * const { files, bytes } = await importDirectory(fs, './src', { ignoreFiles: ['.gitignore'] })
 * const { root } = await fs.commit()
 *
 * console.log(`${files} files, ${bytes} bytes: ${root}`)
 * ```
 *
 * @throws {SourceChangedError} where a file changes or vanishes while it is read
 * @throws {UnsupportedEntryError} for sockets, pipes, devices and names that are not UTF-8
 * @throws {Error} what `node:fs` throws where something cannot be read
 */
export async function importDirectory (target: DagFs, source: string, options: ImportOptions = {}): Promise<ImportReport> {
  checkOptions(options, ['to', 'hidden', 'ignore', 'ignoreFiles', 'mode', 'mtime', 'onSourceError', 'signal', 'onProgress'])

  if (options.onSourceError !== undefined && !['throw', 'skip'].includes(options.onSourceError)) {
    throw new InvalidOptionError('onSourceError', "must be 'throw' or 'skip'")
  }

  return new Import(target, path.resolve(source), options).run()
}

class Import {
  readonly #target: DagFs
  readonly #source: string
  readonly #to: string
  readonly #options: ImportOptions
  readonly #skipped: SkippedEntry[] = []
  /** What small files are read into, one after the other */
  readonly #buffer = new Uint8Array(readAtOnceBytes)
  /** Files that are being read; each resolves when it is closed */
  readonly #reading = new Set<Promise<void>>()

  constructor (target: DagFs, source: string, options: ImportOptions) {
    this.#target = target
    this.#source = source
    this.#options = options
    this.#to = absolutePath(options.to ?? '/')
  }

  async run (): Promise<ImportReport> {
    const { signal } = this.#options

    try {
      const report = await this.#target.addAll(this.#entries(), {
        signal,
        skip: (error, treePath) => {
          this.#refuse(error, this.#hostPath(treePath))
          return true
        },
        onProgress: await this.#progress()
      })

      return { ...report, skipped: this.#skipped, ...this.#rootAttributes() }
    } finally {
      // an abort does not wait for a read that is under way, but its file must be closed
      await Promise.all(this.#reading)
    }
  }

  /** The root of a tree has no entry; a snapshot can carry its attributes. */
  #rootAttributes (): Pick<ImportReport, 'attributes'> {
    const { mode, mtime } = this.#options

    return this.#to !== '/' || (mode !== true && mtime !== true) ? {} : { attributes: this.#attributes(lstat(this.#source)) }
  }

  async * #read (hostPath: string, stat: fs.BigIntStats): AsyncGenerator<Uint8Array> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#reading.add(promise)

    try {
      yield * readInPieces(hostPath, stat, pieceBytes)
    } finally {
      this.#reading.delete(promise)
      resolve()
    }
  }

  readonly #refuse: Refuse = (error, hostPath) => {
    if (this.#options.onSourceError !== 'skip' || !(error instanceof Error)) {
      throw error
    }

    this.#skipped.push({ path: hostPath, error })
  }

  #hostPath (treePath: string): string {
    const below = this.#to === '/' ? treePath : treePath.slice(this.#to.length)

    return path.join(this.#source, ...below.split('/'))
  }

  #walk (refuse: Refuse): Generator<HostEntry> {
    const { hidden = true, ignore = [], ignoreFiles = [] } = this.#options

    return walkHost(this.#source, { hidden, ignore, ignoreFiles }, refuse)
  }

  async * #entries (): AsyncGenerator<AddedEntry> {
    // the target is made even where there is nothing to put into it
    if (this.#to !== '/') {
      yield { kind: 'directory', path: this.#to, ...this.#attributes(lstat(this.#source)) }
    }

    for (const found of this.#walk(this.#refuse)) {
      await pace(this.#options)
      const entry = this.#found(found)

      if (entry !== undefined) {
        yield entry
      }
    }
  }

  /** Answers undefined where the entry is left out. */
  #found (found: HostEntry): AddedEntry | undefined {
    try {
      return this.#entry(found, `${this.#to === '/' ? '' : this.#to}/${found.segments.join('/')}`)
    } catch (err) {
      this.#refuse(isVanished(err) ? new SourceChangedError('the entry vanished while it was imported', { path: found.hostPath, cause: err }) : err, found.hostPath)
    }
  }

  #entry ({ kind, hostPath }: HostEntry, treePath: string): AddedEntry {
    switch (kind) {
      case 'file': {
        const { stat, bytes } = readHostFile(hostPath, this.#buffer)

        return { path: treePath, content: bytes ?? this.#read(hostPath, stat), ...this.#attributes(stat) }
      }
      case 'symlink': {
        const target = fs.readlinkSync(hostPath)

        return { kind, path: treePath, target, ...(this.#options.mtime === true ? { mtime: timeOf(lstat(hostPath)) } : {}) }
      }
      default:
        return { kind, path: treePath, ...(this.#options.mode === true || this.#options.mtime === true ? this.#attributes(lstat(hostPath)) : {}) }
    }
  }

  #attributes (stat: fs.BigIntStats): { mode?: number, mtime?: Time } {
    return {
      ...(this.#options.mode === true ? { mode: Number(stat.mode & 0o7777n) } : {}),
      ...(this.#options.mtime === true ? { mtime: timeOf(stat) } : {})
    }
  }

  /** Counts what there is to import, where somebody wants to know, and answers how they are told. */
  async #progress (): Promise<((event: { detail: AddProgress }) => void) | undefined> {
    const { onProgress } = this.#options

    if (onProgress === undefined) {
      return
    }

    const total = await this.#count()
    const done = { entries: 0, bytes: 0 }

    return ({ detail: { size } }) => {
      done.entries++
      done.bytes += size
      onProgress(new CustomProgressEvent<TransferProgress>('dagfs:import:progress', { ...done, ...total }))
    }
  }

  async #count (): Promise<{ totalEntries: number, totalBytes: number }> {
    const total = { totalEntries: this.#to === '/' ? 0 : 1, totalBytes: 0 }

    // what cannot be read is told about when it is imported
    for (const { kind, hostPath } of this.#walk(() => {})) {
      await pace(this.#options)
      total.totalEntries++
      total.totalBytes += kind === 'file' ? fs.lstatSync(hostPath, { throwIfNoEntry: false })?.size ?? 0 : 0
    }

    return total
  }
}

function lstat (hostPath: string): fs.BigIntStats {
  return fs.lstatSync(hostPath, { bigint: true })
}

function timeOf ({ mtimeNs }: fs.BigIntStats): Time {
  const nanoseconds = ((mtimeNs % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n

  return [Number((mtimeNs - nanoseconds) / 1_000_000_000n), Number(nanoseconds)]
}

function isVanished (err: unknown): boolean {
  return err instanceof Error && 'code' in err && (err.code === 'ENOENT' || err.code === 'EINVAL' || err.code === 'ENOTDIR')
}
