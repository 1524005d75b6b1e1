import fs from 'node:fs'
import path from 'node:path'
import { CustomProgressEvent } from 'progress-events'
import { mapAhead } from '../../concurrency.ts'
import { EntryCounts } from '../../entry-counts.ts'
import { FileSystemError, InvalidOptionError, LimitExceededError, UnsupportedEntryError } from '../../errors.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { pace } from '../../pace.ts'
import { checkTransfer } from './check-transfer.ts'
import { withAccess } from './directory-access.ts'
import { NameCheck, checkLinkTarget, foldName, hostNameRules, portableNameRules } from './host-names.ts'
import { OpenStores } from './open-stores-below.ts'
import { modeToFill, placeDirectory, placeFile, placeLink, removeOthers } from './place-on-host.ts'
import { TargetDirectory } from './target-directory.ts'
import type { NameRules } from './host-names.ts'
import type { Policy } from './place-on-host.ts'
import type { ExportOptions, ExportReport, SkippedEntry, TransferProgress } from './types.ts'
import type { HostAttributes } from './write-host-file.ts'
import type { EntryInfo, ReadonlyDagFs } from '../../fs/index.ts'

// enough to hide the latency of a store
const readsAhead = 16
const readAheadBytes = 2 ** 16
// of all directories on the way together, of which there may be a thousand
const maxHeldBytes = 8 * 2 ** 20

const none: HostAttributes = { mode: undefined, mtime: undefined }

// some 14 MB, most of them stacks of errors
const maxSkipped = 10_000

export const defaultMaxEntries = 10_000_000
export const defaultMaxBytes = 8 * 2 ** 40

/**
 * Exports a directory of a tree to a host directory, which is made where it is missing. Nothing that is there is written
 * to, replaced only where `update` asks for it, and nothing is written outside of it, whoever made the tree.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { exportDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 * const { files } = await exportDirectory(fs, './exported')
 *
 * console.log(`${files} file`)
 * ```
 *
 * @example Where an earlier version is
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { exportDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 * await exportDirectory(fs, './mirror', { update: 'content', delete: true })
 * await fs.writeFile('/notes/tomorrow.md', 'later')
 * const { files, unchanged } = await exportDirectory(fs, './mirror', { update: 'content', delete: true })
 *
 * console.log(`${files} files, ${unchanged} of them as they were`)
 * ```
 *
 * @throws {UnsupportedEntryError} for a link that leaves the target, a name that the host cannot hold, and an open store in the way
 * @throws {TargetChangedError} where another process exchanges a directory of the target meanwhile
 * @throws {LimitExceededError} for a tree of more entries or bytes than the options allow
 * @throws {Error} what `node:fs` throws: EEXIST where something is in the way, ENAMETOOLONG for a path longer than the host allows
 */
export async function exportDirectory (source: ReadonlyDagFs, target: string, options: ExportOptions = {}): Promise<ExportReport> {
  checkTransfer('exportDirectory(fs, target, options)', source, 'target', target)
  checkOptions(options, ['from', 'mode', 'mtime', 'names', 'onUnsupported', 'update', 'delete', 'maxEntries', 'maxBytes', 'signal', 'onProgress'])
  checkChoice('names', options.names, ['host', 'portable'])
  checkChoice('onUnsupported', options.onUnsupported, ['throw', 'skip'])
  checkChoice('update', options.update, ['content', 'time'])

  if (options.delete === true && options.update === undefined) {
    throw new InvalidOptionError('delete', 'needs `update`, which allows changes to the target')
  }

  return new Export(source, path.resolve(target), options).run()
}

function checkChoice (option: string, value: string | undefined, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value)) {
    throw new InvalidOptionError(option, `must be one of ${choices.join(', ')}`)
  }
}

/** A directory that entries are being written into. */
interface OpenDirectory {
  readonly directory: TargetDirectory
  readonly depth: number
  readonly names: NameCheck
  /** The names in the tree, as the host compares them, where all others are to be removed */
  readonly kept: Set<string> | undefined
}

class Export {
  readonly #source: ReadonlyDagFs
  readonly #target: string
  readonly #options: ExportOptions
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #skipped: SkippedEntry[] = []
  readonly #counts = new EntryCounts()
  readonly #policy: Policy
  #moreSkipped = 0
  #unchanged = 0
  #entries = 0
  /** Bytes of files that are read ahead and not yet written */
  #held = 0
  #rules: NameRules = portableNameRules

  constructor (source: ReadonlyDagFs, target: string, options: ExportOptions) {
    this.#source = source
    this.#target = target
    this.#options = options
    this.#policy = { update: options.update, isMirror: options.delete === true, stores: new OpenStores(target), signal: options.signal }
    this.#maxEntries = integerOption('maxEntries', options.maxEntries ?? defaultMaxEntries)
    this.#maxBytes = integerOption('maxBytes', options.maxBytes ?? defaultMaxBytes)
  }

  async run (): Promise<ExportReport> {
    const { from = '/', names, signal } = this.#options

    const { kind, attributes = {} } = await this.#source.stat(from, { signal })

    if (kind !== 'directory') {
      throw new FileSystemError('ENOTDIR', 'export', from)
    }

    const wanted = this.#attributes(attributes)
    const isMade = makeTarget(this.#target, modeToFill(wanted.mode))
    this.#policy.stores.checkPlaced(this.#target, 'directory')

    const directory = TargetDirectory.target(this.#target)
    await this.#fill(directory, this.#directoryAttributes(isMade, wanted), async () => {
      this.#rules = names === 'portable' ? portableNameRules : hostNameRules(directory.at('.'))
      await this.#exportInto(this.#open(directory, 0), from)
    })

    return {
      ...this.#counts,
      skipped: this.#skipped,
      ...(this.#moreSkipped === 0 ? {} : { moreSkipped: this.#moreSkipped }),
      ...(this.#policy.update === undefined ? {} : { unchanged: this.#unchanged })
    }
  }

  /** Works in a directory that is open, and closes it. */
  async #fill (directory: TargetDirectory, attributes: HostAttributes, work: () => Promise<void>): Promise<void> {
    try {
      await withAccess(directory, attributes, { mayOpen: this.#policy.update !== undefined }, work)
    } catch (err) {
      throw directory.named(err)
    } finally {
      directory.close()
    }
  }

  #open (directory: TargetDirectory, depth: number): OpenDirectory {
    return { directory, depth, names: new NameCheck(this.#rules), kept: this.#policy.isMirror ? new Set() : undefined }
  }

  async #exportInto (open: OpenDirectory, treePath: string): Promise<void> {
    const { signal } = this.#options

    for await (const { entry, bytes } of mapAhead(this.#source.ls(treePath, { signal }), readsAhead, async found => this.#readAhead(found))) {
      await pace(this.#options)
      this.#spend(entry)
      open.kept?.add(this.#compared(entry.name))

      if (this.#isAccepted(entry, open) && await this.#isExported(entry, bytes, open)) {
        this.#count(entry)
      }

      this.#held -= bytes === undefined ? 0 : entry.size
    }

    const { directory, kept } = open

    if (kept !== undefined) {
      directory.check()
      await removeOthers(directory, name => kept.has(this.#compared(name)), this.#policy)
    }
  }

  /** Small files are read while those before them are written, as long as there is room for them. */
  async #readAhead (entry: EntryInfo): Promise<{ entry: EntryInfo, bytes?: Uint8Array }> {
    const isSmall = entry.kind === 'file' && entry.size <= readAheadBytes && this.#policy.update !== 'time'

    if (!isSmall || this.#held + entry.size > maxHeldBytes) {
      return { entry }
    }

    this.#held += entry.size

    const bytes = await this.#source.readFile(entry.path, { signal: this.#options.signal })

    return { entry, bytes: bytes.subarray(0, entry.size) }
  }

  /** A name as the host compares it with others. */
  #compared (name: string): string {
    return this.#rules.ignoresCase ? foldName(name) : name
  }

  /** Sizes are claims, but of no file more is written than its entry claims, even where it is a draft's and grows meanwhile. */
  #spend ({ path: treePath, kind, size }: EntryInfo): void {
    this.#entries++

    if (this.#entries > this.#maxEntries) {
      throw new LimitExceededError(`the tree has more than ${this.#maxEntries} entries; raise maxEntries if you trust it`, { path: treePath })
    }

    if (kind === 'file' && this.#counts.bytes + size > this.#maxBytes) {
      throw new LimitExceededError(`the tree has more than ${this.#maxBytes} bytes; raise maxBytes if you trust it`, { path: treePath })
    }
  }

  #isAccepted ({ name, path: treePath, kind, target = '' }: EntryInfo, { directory, depth, names }: OpenDirectory): boolean {
    try {
      names.check(name, treePath)
      this.#policy.stores.checkPlaced(path.join(directory.hostPath, name), kind)

      if (kind === 'symlink') {
        checkLinkTarget(target, depth, treePath, this.#rules)
      }

      return true
    } catch (error) {
      if (!(error instanceof UnsupportedEntryError) || this.#options.onUnsupported !== 'skip') {
        throw error
      }

      this.#skip(treePath, error)

      return false
    }
  }

  /** Exports an entry, unless its path or its target is longer than the host allows and that is to be left out. */
  async #isExported (entry: EntryInfo, bytes: Uint8Array | undefined, open: OpenDirectory): Promise<boolean> {
    try {
      await this.#exportEntry(entry, bytes, open)

      return true
    } catch (err) {
      if (!(isTooLongForHost(err) && this.#options.onUnsupported === 'skip')) {
        throw err
      }

      this.#skip(entry.path, err)

      return false
    }
  }

  #skip (treePath: string, error: Error): void {
    if (this.#skipped.length < maxSkipped) {
      this.#skipped.push({ path: treePath, error })
    } else {
      this.#moreSkipped++
    }
  }

  async #exportEntry (entry: EntryInfo, bytes: Uint8Array | undefined, { directory, depth }: OpenDirectory): Promise<void> {
    const place = { directory, name: entry.name }
    const attributes = this.#attributes(entry)

    switch (entry.kind) {
      case 'file': {
        const { size, mtime } = entry
        const content = (): AsyncIterable<Uint8Array> => bytes === undefined ? this.#source.cat(entry.path, { length: size, signal: this.#options.signal }) : one(bytes)
        const isWritten = await placeFile(place, { size, mtime, content }, attributes, this.#policy)
        this.#unchanged += isWritten ? 0 : 1
        break
      }
      case 'symlink':
        await placeLink(place, entry.target ?? '', attributes.mtime, this.#policy)
        break
      default: {
        const isMade = await placeDirectory(place, attributes.mode, this.#policy)
        const inner = directory.open(entry.name)
        await this.#fill(inner, this.#directoryAttributes(isMade, attributes), async () => this.#exportInto(this.#open(inner, depth + 1), entry.path))
      }
    }
  }

  /** Those of a directory that is there are not ours, unless it may be changed. */
  #directoryAttributes (isMade: boolean, attributes: HostAttributes): HostAttributes {
    return isMade || this.#policy.update !== undefined ? attributes : none
  }

  #attributes ({ mode, mtime }: Pick<EntryInfo, 'mode' | 'mtime'>): HostAttributes {
    return {
      mode: this.#options.mode === false ? undefined : mode,
      mtime: this.#options.mtime === false ? undefined : mtime
    }
  }

  #count ({ kind, size }: EntryInfo): void {
    this.#counts.add(kind, size)
    this.#options.onProgress?.(new CustomProgressEvent<TransferProgress>('dagfs:export:progress', { entries: this.#entries, bytes: this.#counts.bytes }))
  }
}

/** Whether the host refused a path. Those of the tree are refused otherwise. */
function isTooLongForHost (err: unknown): err is Error {
  return err instanceof Error && 'code' in err && err.code === 'ENAMETOOLONG' && !(err instanceof FileSystemError)
}

/** Makes a directory and those that it is in; returns whether it was not there. */
function makeTarget (target: string, mode: number | undefined): boolean {
  if (fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() === true) {
    return false
  }

  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.mkdirSync(target, mode)

  return true
}

async function * one (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
