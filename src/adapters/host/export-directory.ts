import fs from 'node:fs'
import path from 'node:path'
import { CustomProgressEvent } from 'progress-events'
import { FileSystemError, InvalidOptionError, LimitExceededError, UnsupportedEntryError } from '../../errors.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { pace } from '../../pace.ts'
import { NameCheck, checkLinkTarget, hostNameRules, portableNameRules } from './host-names.ts'
import { permissions, secondsOf, writeHostFile } from './write-host-file.ts'
import type { NameRules } from './host-names.ts'
import type { ExportOptions, SkippedEntry, TransferProgress, TransferReport } from './types.ts'
import type { HostAttributes } from './write-host-file.ts'
import type { EntryInfo, ReadonlyDagFs } from '../../fs/index.ts'

const defaultMaxEntries = 10_000_000
const defaultMaxBytes = 8 * 2 ** 40

/**
 * Exports a directory of a tree to a host directory, which is made where it is missing. Nothing that is there is written
 * to or replaced, and nothing is written outside of it, whoever made the tree.
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
 * @throws {UnsupportedEntryError} for a link that leaves the target and a name that the host cannot hold
 * @throws {LimitExceededError} for a tree of more entries or bytes than the options allow
 * @throws {Error} what `node:fs` throws, EEXIST where something is in the way
 */
export async function exportDirectory (source: ReadonlyDagFs, target: string, options: ExportOptions = {}): Promise<TransferReport> {
  checkOptions(options, ['from', 'mode', 'mtime', 'names', 'onUnsupported', 'maxEntries', 'maxBytes', 'signal', 'onProgress'])
  checkChoice('names', options.names, ['host', 'portable'])
  checkChoice('onUnsupported', options.onUnsupported, ['throw', 'skip'])

  return new Export(source, path.resolve(target), options).run()
}

function checkChoice (option: string, value: string | undefined, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value)) {
    throw new InvalidOptionError(option, `must be one of ${choices.join(', ')}`)
  }
}

/** A directory that entries are being written into. */
interface OpenDirectory {
  readonly hostPath: string
  readonly depth: number
  readonly names: NameCheck
}

class Export {
  readonly #source: ReadonlyDagFs
  readonly #target: string
  readonly #options: ExportOptions
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #skipped: SkippedEntry[] = []
  readonly #report = { files: 0, directories: 0, symlinks: 0, bytes: 0 }
  #entries = 0
  #rules: NameRules = portableNameRules

  constructor (source: ReadonlyDagFs, target: string, options: ExportOptions) {
    this.#source = source
    this.#target = target
    this.#options = options
    this.#maxEntries = integerOption('maxEntries', options.maxEntries ?? defaultMaxEntries)
    this.#maxBytes = integerOption('maxBytes', options.maxBytes ?? defaultMaxBytes)
  }

  async run (): Promise<TransferReport> {
    const { from = '/', names, signal } = this.#options

    const { kind, attributes = {} } = await this.#source.stat(from, { signal })

    if (kind !== 'directory') {
      throw new FileSystemError('ENOTDIR', 'export', from)
    }

    const isMade = fs.mkdirSync(this.#target, { recursive: true }) !== undefined
    this.#rules = names === 'portable' ? portableNameRules : hostNameRules(this.#target)
    await this.#exportInto(this.#open(this.#target, 0), from)

    if (isMade) {
      setDirectoryAttributes(this.#target, this.#attributes(attributes))
    }

    return { ...this.#report, skipped: this.#skipped }
  }

  #open (hostPath: string, depth: number): OpenDirectory {
    return { hostPath, depth, names: new NameCheck(this.#rules) }
  }

  async #exportInto (directory: OpenDirectory, treePath: string): Promise<void> {
    for await (const entry of this.#source.ls(treePath, { signal: this.#options.signal })) {
      await pace(this.#options)
      this.#spend(entry)

      if (this.#isAccepted(entry, directory)) {
        await this.#exportEntry(entry, directory)
        this.#count(entry)
      }
    }
  }

  /** Sizes are claims, but a file is never read beyond the one that its entry claims. */
  #spend ({ path: treePath, kind, size }: EntryInfo): void {
    this.#entries++

    if (this.#entries > this.#maxEntries) {
      throw new LimitExceededError(`the tree has more than ${this.#maxEntries} entries; raise maxEntries if you trust it`, { path: treePath })
    }

    if (kind === 'file' && this.#report.bytes + size > this.#maxBytes) {
      throw new LimitExceededError(`the tree has more than ${this.#maxBytes} bytes; raise maxBytes if you trust it`, { path: treePath })
    }
  }

  #isAccepted ({ name, path: treePath, kind, target = '' }: EntryInfo, { depth, names }: OpenDirectory): boolean {
    try {
      names.check(name, treePath)

      if (kind === 'symlink') {
        checkLinkTarget(target, depth, treePath, this.#rules)
      }

      return true
    } catch (error) {
      if (!(error instanceof UnsupportedEntryError) || this.#options.onUnsupported !== 'skip') {
        throw error
      }

      this.#skipped.push({ path: treePath, error })

      return false
    }
  }

  async #exportEntry (entry: EntryInfo, directory: OpenDirectory): Promise<void> {
    const hostPath = path.join(directory.hostPath, entry.name)
    const attributes = this.#attributes(entry)

    switch (entry.kind) {
      case 'file':
        await writeHostFile(hostPath, this.#source.cat(entry.path, { signal: this.#options.signal }), attributes)
        break
      case 'symlink':
        fs.symlinkSync(entry.target ?? '', hostPath)
        setLinkTime(hostPath, attributes)
        break
      default:
        makeDirectory(hostPath)
        await this.#exportInto(this.#open(hostPath, directory.depth + 1), entry.path)
        setDirectoryAttributes(hostPath, attributes)
    }
  }

  #attributes ({ mode, mtime }: Pick<EntryInfo, 'mode' | 'mtime'>): HostAttributes {
    return {
      mode: this.#options.mode === false ? undefined : mode,
      mtime: this.#options.mtime === false ? undefined : mtime
    }
  }

  #count ({ kind, size }: EntryInfo): void {
    this.#report.files += kind === 'file' ? 1 : 0
    this.#report.directories += kind === 'directory' ? 1 : 0
    this.#report.symlinks += kind === 'symlink' ? 1 : 0
    this.#report.bytes += kind === 'file' ? size : 0
    this.#options.onProgress?.(new CustomProgressEvent<TransferProgress>('dagfs:export:progress', { entries: this.#entries, bytes: this.#report.bytes }))
  }
}

/** Makes a directory, or finds one; a link in its place is not followed. */
function makeDirectory (hostPath: string): void {
  try {
    fs.mkdirSync(hostPath)
  } catch (err) {
    if (!fs.lstatSync(hostPath, { throwIfNoEntry: false })?.isDirectory()) {
      throw err
    }
  }
}

function setLinkTime (hostPath: string, { mtime }: HostAttributes): void {
  if (mtime !== undefined) {
    fs.lutimesSync(hostPath, secondsOf(mtime), secondsOf(mtime))
  }
}

// after what is in it: writing into a directory needs permission and changes its time
function setDirectoryAttributes (hostPath: string, { mode, mtime }: HostAttributes): void {
  if (mode !== undefined) {
    fs.chmodSync(hostPath, permissions(mode))
  }

  if (mtime !== undefined) {
    fs.utimesSync(hostPath, secondsOf(mtime), secondsOf(mtime))
  }
}
