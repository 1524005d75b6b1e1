import path from 'node:path'
import { CustomProgressEvent } from 'progress-events'
import { EntryCounts } from '../../entry-counts.ts'
import { InvalidOptionError } from '../../errors.ts'
import { adapterApiOf } from '../../fs/index.ts'
import { checkOptions, integerOption, pathOption } from '../../options.ts'
import { pace } from '../../pace.ts'
import { absolutePath, compareNames, maxPathSegments, splitEntryPath } from '../../path.ts'
import { checkTransfer } from './check-transfer.ts'
import { walkHost } from './host-walk.ts'
import { ImportEntries } from './import-entries.ts'
import { ImportPlan, defaultRecordEveryMs } from './import-plan.ts'
import { ImportRecord } from './import-record.ts'
import { lookAt } from './look-at.ts'
import { PieceMemory } from './piece-memory.ts'
import { defaultRacyWindowMs } from './racy-window.ts'
import { ReadAhead } from './read-ahead.ts'
import { readInPieces } from './read-host-file.ts'
import { recordBelow } from './record-path.ts'
import { exchanged } from './source-directory.ts'
import type { HostEntry, HostListing } from './host-walk.ts'
import type { BatchFile } from './read-batch.ts'
import type { HostStat } from './read-host-file.ts'
import type { Refuse } from './refuse.ts'
import type { ImportOptions, ImportReport, SkippedEntry, TransferProgress } from './types.ts'
import type { AddedEntry, Addition, AddProgress, AddReport, DagFs, StorageTraits, AdapterApi, StreamedFile, TreeDifference } from '../../fs/index.ts'

const ownEntries = {
  // some 2,500 entries: what is below a directory that was walked need not be held until the commit
  maxFinishedBytes: 2 ** 20,
  // their content is in memory of ours
  verified: true
}

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
  checkTransfer('importDirectory(fs, source, options)', target, 'source', source)
  checkImportOptions(options)

  return new Import(target, path.resolve(source), fixed(options)).run()
}

/**
 * What `importDirectory` would change, as `fs.diff` says it: names in order, each directory before what is in it. Nothing of the
 * directory is put into the store, and nothing is written to the record; files that it does not know are read. Edits that are not
 * committed are stored first, as for a commit. What the tree would be is held in memory, without the bytes of files: some 400
 * bytes for each entry that is new.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { importDirectory, previewImport } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await importDirectory(fs, './src')
 * await fs.commit()
 *
 * for await (const { kind, path } of previewImport(fs, './src', { delete: true })) {
 *   // added, removed or changed
 *   console.log(kind, path)
 * }
 * ```
 *
 * @throws {Error} what `importDirectory` throws
 */
export function previewImport (target: DagFs, source: string, options: ImportOptions = {}): AsyncGenerator<TreeDifference> {
  // what it is given is checked when it is first asked
  return preview(target, typeof source === 'string' ? path.resolve(source) : source, fixed(options))
}

async function * preview (target: DagFs, source: string, options: ImportOptions): AsyncGenerator<TreeDifference> {
  checkTransfer('previewImport(fs, source, options)', target, 'source', source)
  checkImportOptions(options)
  const { signal } = options
  const scratch = await (await openAdapterApi(target)).scratch({ signal })
  const { cid } = await scratch.stat('/', { signal })
  await new Import(scratch, source, options, { isPreview: true }).run()

  if (cid !== undefined) {
    yield * scratch.diff(cid, undefined, { signal })
  }
}

/** Paths are of the directory that the process is in when they are given. */
function fixed (options: ImportOptions): ImportOptions {
  return typeof options?.record === 'string' && options.record !== '' ? { ...options, record: path.resolve(options.record) } : options
}

function checkImportOptions (options: ImportOptions): void {
  checkOptions(options, ['to', 'hidden', 'ignore', 'ignoreFiles', 'mode', 'mtime', 'onSourceError', 'record', 'recordEveryMs', 'racyWindowMs', 'delete', 'signal', 'onProgress'])

  if (options.onSourceError !== undefined && !['throw', 'skip'].includes(options.onSourceError)) {
    throw new InvalidOptionError('onSourceError', "must be 'throw' or 'skip'")
  }

  checkPatterns('ignore', options.ignore)
  checkPatterns('ignoreFiles', options.ignoreFiles)

  if (options.record !== undefined) {
    pathOption('record', options.record, 'must be the path of a file')
  }

  integerOption('recordEveryMs', options.recordEveryMs)
  integerOption('racyWindowMs', options.racyWindowMs)
}

function checkPatterns (option: string, value: unknown): void {
  if (value !== undefined && !(Array.isArray(value) && value.every(item => typeof item === 'string'))) {
    throw new InvalidOptionError(option, 'must be an array of strings')
  }
}

async function openAdapterApi (target: DagFs): Promise<AdapterApi> {
  const adapterApi = await adapterApiOf(target)

  if (adapterApi === undefined) {
    throw new InvalidOptionError('target', 'must be a filesystem returned by dagfs() for a record, delete or a preview')
  }

  return adapterApi
}

class Import {
  readonly #target: DagFs
  readonly #source: string
  readonly #to: string
  readonly #options: ImportOptions
  readonly #isPreview: boolean
  readonly #made: ImportEntries
  readonly #skipped: SkippedEntry[] = []
  /** Files that are being read; each resolves when it is closed */
  readonly #reading = new Set<Promise<void>>()
  readonly #pieces = new PieceMemory()
  /** Where the store keeps no bytes that it was given */
  #onStored: StreamedFile['onStored']

  /** Where it matters what the tree has */
  #plan: ImportPlan | undefined
  #unread = 0
  /** Entries that the tree has and that need not be added */
  readonly #standing = new EntryCounts()
  #onDone: ((size: number) => void) | undefined

  constructor (target: DagFs, source: string, options: ImportOptions, { isPreview = false }: { isPreview?: boolean } = {}) {
    this.#target = target
    this.#source = source
    this.#options = options
    this.#isPreview = isPreview
    this.#to = absolutePath(options.to ?? '/')
    this.#made = new ImportEntries({
      to: this.#to,
      mode: options.mode === true,
      mtime: options.mtime === true,
      onRead: (entry, stat) => { this.#plan?.read(entry, stat) },
      stream: (found, stat) => this.#stream(found, stat)
    })
  }

  async run (): Promise<ImportReport> {
    try {
      this.#onDone = await this.#progress()
      // nothing is added where the source cannot be looked at
      const ofRoot = this.#made.ofRoot(this.#source)
      const added = await this.#add()
      const { files, directories, symlinks, bytes } = this.#standing

      return {
        files: added.files + files,
        directories: added.directories + directories,
        symlinks: added.symlinks + symlinks,
        bytes: added.bytes + bytes,
        // what cannot be walked is found before files are read
        skipped: this.#skipped.toSorted((a, b) => compareNames(a.path, b.path)),
        ...(this.#options.record === undefined ? {} : { unread: this.#unread }),
        ...ofRoot
      }
    } finally {
      // an abort does not wait for a read that is under way, but its file must be closed
      await Promise.all(this.#reading)
    }
  }

  async #add (): Promise<AddReport> {
    const { signal, record, delete: isMirror = false } = this.#options
    const options = {
      signal,
      skip: (error: unknown, treePath: string) => {
        this.#refuse(error, this.#hostPath(treePath))
        return true
      },
      // few imports ask for it
      onProgress: this.#onDone === undefined && record === undefined && !isMirror
        ? undefined
        : ({ detail }: { readonly detail: AddProgress }) => {
            this.#plan?.done(detail.path)
            this.#onDone?.(detail.size)
          }
    }

    if (record === undefined && !isMirror) {
      const adapterApi = await adapterApiOf(this.#target)
      const entries = this.#entries(this.#walk(this.#refuse), await this.#inlineBytes(adapterApi))

      return adapterApi?.add(entries, { ...options, ...ownEntries }) ?? this.#target.addAll(withContent(entries), options)
    }

    const adapterApi = await openAdapterApi(this.#target)
    const inlineBytes = await this.#inlineBytes(adapterApi)
    const plan = await this.#openPlan(adapterApi)
    this.#plan = plan

    return adapterApi.add(this.#entries(plan.steps(listed => this.#walk(this.#refuse, listed)), inlineBytes), { ...options, ...ownEntries, onRemoved: treePath => { plan.removed(treePath) }, checkpoints: plan.checkpoints })
  }

  /** Up to which size files are held in their entries; learns what becomes of the others' memory. */
  async #inlineBytes (adapterApi: AdapterApi | undefined): Promise<number> {
    const { inlineBytes, copiesBytes }: StorageTraits = await adapterApi?.storageTraits({ signal: this.#options.signal }) ?? { inlineBytes: 0 }
    this.#onStored = copiesBytes === true ? this.#pieces.giveBack : undefined

    return inlineBytes
  }

  async #openPlan (adapterApi: AdapterApi): Promise<ImportPlan> {
    const { record, recordEveryMs = defaultRecordEveryMs, racyWindowMs = defaultRacyWindowMs, mode = false, mtime = false, delete: isMirror = false, signal } = this.#options
    // what a file becomes is decided by these, besides its bytes
    const subject = record === undefined ? {} : { source: this.#source, layout: await adapterApi.layout({ signal }), mode, mtime }

    return new ImportPlan({
      target: this.#target,
      adapterApi,
      to: this.#to,
      record: record === undefined ? undefined : new ImportRecord(record, subject),
      isRecording: !this.#isPreview,
      recordEveryMs,
      racyWindowMs,
      isMirror,
      options: { signal },
      hasAttributes: mode || mtime,
      attributes: stat => this.#made.attributes(stat),
      onUnchanged: (kind, size) => { this.#unchanged(kind, size) },
      onReused: () => { this.#unread++ },
      isIncomplete: () => this.#skipped.length > 0
    })
  }

  #unchanged (kind: HostEntry['kind'], size: number): void {
    this.#standing.add(kind, size)
    this.#unread += kind === 'file' ? 1 : 0
    this.#onDone?.(kind === 'file' ? size : 0)
  }

  #stream (found: HostEntry, stat: HostStat): Pick<StreamedFile, 'content' | 'onStored'> {
    return { content: this.#read(found, stat), onStored: this.#onStored }
  }

  async * #read ({ hostPath, directory }: HostEntry, stat: HostStat): AsyncGenerator<Uint8Array> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#reading.add(promise)

    try {
      yield * readInPieces(hostPath, stat, this.#pieces)

      if (!directory.isIntact(performance.now())) {
        throw exchanged(hostPath)
      }
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

  * #walk (refuse: Refuse, listed?: (listing: HostListing) => void): Generator<HostEntry | undefined> {
    const { hidden = true, ignore = [], ignoreFiles = [], record } = this.#options
    const isRecord = record === undefined ? undefined : recordBelow(this.#source, record)
    const depth = splitEntryPath(this.#to, 'add').length

    yield * walkHost(this.#source, { hidden, ignore, ignoreFiles, isLeftOut: isRecord, maxSegments: maxPathSegments - depth }, refuse, listed)
  }

  async * #entries (found: AnyOf<HostEntry | Addition | undefined>, inlineBytes: number): AsyncGenerator<readonly Addition[]> {
    const begin = this.#made.ofTarget(this.#source)
    yield begin === undefined ? [] : [begin]

    yield * new ReadAhead<Addition, Addition>((entry, file) => 'path' in entry ? entry : this.#entry(entry, file), inlineBytes, this.#options).read(found)
  }

  /** Returns undefined where the entry is left out. */
  #entry (found: HostEntry, file: BatchFile | undefined): Addition | undefined {
    try {
      return this.#made.of(found, file)
    } catch (err) {
      this.#refuse(err, found.hostPath)
    }
  }

  /** Counts what there is to import, where somebody wants to know, and returns how they are told. */
  async #progress (): Promise<((size: number) => void) | undefined> {
    const { onProgress } = this.#options

    if (onProgress === undefined) {
      return
    }

    const total = await this.#count()
    const done = { entries: 0, bytes: 0 }

    return size => {
      done.entries++
      done.bytes += size
      onProgress(new CustomProgressEvent<TransferProgress>('dagfs:import:progress', { ...done, ...total }))
    }
  }

  async #count (): Promise<{ totalEntries: number, totalBytes: number }> {
    const total = { totalEntries: this.#to === '/' ? 0 : 1, totalBytes: 0 }

    // what cannot be read is told about when it is imported
    for (const found of this.#walk(() => {})) {
      const turning = pace(this.#options)

      if (turning !== undefined) {
        await turning
      }

      if (found !== undefined) {
        total.totalEntries++
        total.totalBytes += found.kind === 'file' ? Number(lookAt(found.hostPath)?.size ?? 0) : 0
      }
    }

    return total
  }
}

type AnyOf<T> = Iterable<T> | AsyncIterable<T>

/** For a filesystem that is not ours. It may hold entries for as long as it likes, and the memory of their bytes is used again. */
async function * withContent (groups: AsyncIterable<readonly Addition[]>): AsyncGenerator<AddedEntry> {
  for await (const group of groups) {
    for (const entry of group) {
      if ('hashed' in entry) {
        const { hashed, ...rest } = entry
        yield { ...rest, content: hashed.bytes.slice() }
      } else if (entry.kind !== 'absent' && !('stored' in entry)) {
        yield entry
      }
    }
  }
}
