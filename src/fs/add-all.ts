import { CustomProgressEvent } from 'progress-events'
import { attributesFault, targetFault } from '../codec/index.ts'
import { mapAhead } from '../concurrency.ts'
import { FileSystemError } from '../errors.ts'
import { writeFile } from '../file/index.ts'
import { pace } from '../pace.ts'
import { splitEntryPath } from '../path.ts'
import { SourceFailure, contentStream } from './content.ts'
import type { Draft, EntryPlace } from './draft/draft.ts'
import type { AddedEntry, AddedFile, AddedSymlink } from './entry-types.ts'
import type { AddOptions, AddReport } from './types.ts'
import type { BlockWriter } from '../blockstore/index.ts'
import type { Attributes, FileEntry, SymlinkEntry, Time } from '../codec/index.ts'
import type { FileLayout } from '../file/index.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store, few enough to bound open files and memory
const entriesInWork = 16

const counters = { file: 'files', directory: 'directories', symlink: 'symlinks' } as const

const encoder = new TextEncoder()

/** An entry, in its place, whose content is stored. */
type StoredEntry = EntryPlace & { readonly attributes?: Attributes } & (
  { readonly change: 'set', readonly entry: FileEntry | SymlinkEntry } | { readonly change: 'make' | 'remove', readonly entry?: undefined }
)

/** What adapters of the package can add besides. */
export type Addition = AddedEntry | StoredFile | AbsentEntry

/** A file whose content is in the store. */
export interface StoredFile extends Omit<AddedFile, 'content'> {
  readonly stored: Pick<FileEntry, 'content' | 'size'>
}

/** Whatever is at a path is to be gone. */
export interface AbsentEntry {
  readonly kind: 'absent'
  readonly path: string
}

/** Stores the tree from time to time while entries are added, and at the end. */
export interface Checkpoints {
  /** Asked after each entry */
  isDue(): boolean
  /** Told of a tree in which all is that progress was told of until now, and whether that is everything */
  reached(root: CID, isLast: boolean): Promise<void>
}

export interface AdditionOptions extends AddOptions {
  readonly checkpoints?: Checkpoints
  /** Told of what was removed */
  onRemoved?(path: string): void
}

/**
 * Stores the content of entries and puts them into a draft.
 */
export async function addAll (draft: Draft, layout: FileLayout, entries: Iterable<Addition> | AsyncIterable<Addition>, options: AdditionOptions): Promise<AddReport> {
  const report = { files: 0, directories: 0, symlinks: 0, bytes: 0 }
  const { checkpoints } = options

  for await (const stored of mapAhead(entries, entriesInWork, async added => storeAdded(draft.writer, layout, added, options))) {
    const turn = pace(options)

    if (turn !== undefined) {
      await turn
    }

    if (stored !== undefined) {
      const placing = place(draft, stored, options)

      if (placing !== undefined) {
        await placing
      }

      if (draft.isOverBudget) {
        await draft.spill(options)
      }

      count(report, stored, options)

      if (checkpoints?.isDue() === true) {
        await checkpoints.reached((await draft.settle(options)).cid, false)
      }
    }
  }

  await checkpoints?.reached((await draft.settle(options)).cid, true)

  return report
}

/** Stores the content of an entry; answers undefined where it is to be left out. */
export async function storeAdded (writer: BlockWriter, layout: FileLayout, added: Addition, options: AddOptions): Promise<StoredEntry | undefined> {
  try {
    return await storeContent(writer, layout, added, options)
  } catch (err) {
    if (!(err instanceof SourceFailure)) {
      throw err
    }

    if (options.skip?.(err.cause, added.path) !== true) {
      throw err.cause
    }
  }
}

async function storeContent (writer: BlockWriter, layout: FileLayout, added: Addition, options: AddOptions): Promise<StoredEntry> {
  options.signal?.throwIfAborted()
  const names = splitEntryPath(added.path, 'add')

  if (added.kind === 'absent') {
    return { path: added.path, names, change: 'remove' }
  }

  const attributes = attributesOf(added)
  const where = { path: added.path, names, ...(attributes === undefined ? {} : { attributes }) }

  if (added.kind === 'directory') {
    return { ...where, change: 'make' }
  }

  const name = names.at(-1)

  if (name === undefined) {
    throw new FileSystemError('EISDIR', 'add', added.path)
  }

  const content = added.kind === 'symlink' ? link(added) : await file(writer, layout, added, options)

  return { ...where, change: 'set', entry: { name, ...content, ...(attributes === undefined ? {} : { attributes }) } }
}

async function file (writer: BlockWriter, layout: FileLayout, added: AddedFile | StoredFile, options: AddOptions): Promise<Pick<FileEntry, 'kind' | 'content' | 'size'>> {
  const stored = 'stored' in added
    ? added.stored
    : await writeFile(async block => writer.put(block, options), contentStream(added.content, added.path, options), layout)

  return { kind: 'file', ...stored }
}

function link ({ path, target }: AddedSymlink): Pick<SymlinkEntry, 'kind' | 'content' | 'size'> {
  const fault = targetFault(target)

  if (fault !== undefined) {
    throw new FileSystemError('EINVAL', 'add', path, fault)
  }

  return { kind: 'symlink', content: target, size: encoder.encode(target).byteLength }
}

function attributesOf (added: AddedEntry | StoredFile): Attributes | undefined {
  const { path, kind, meta, mtime } = added
  const mode = added.kind === 'symlink' ? undefined : added.mode

  if (meta === undefined && mode === undefined && mtime === undefined) {
    return
  }

  const attributes = {
    ...(meta === undefined ? {} : { meta }),
    ...(mode === undefined ? {} : { mode }),
    ...(mtime === undefined ? {} : { mtime: timeOf(mtime) })
  }
  const fault = attributesFault(attributes, kind === 'symlink')

  if (fault !== undefined) {
    throw new FileSystemError('EINVAL', 'add', path, fault)
  }

  return attributes
}

function timeOf (time: Date | Time): Time {
  if (!(time instanceof Date)) {
    return time
  }

  const seconds = Math.floor(time.getTime() / 1000)

  return [seconds, (time.getTime() - seconds * 1000) * 1e6]
}

function place (draft: Draft, stored: StoredEntry, options: AddOptions): Promise<void> | undefined {
  switch (stored.change) {
    case 'set':
      return draft.setEntry(stored, stored.entry, options)
    case 'remove':
      return draft.removeEntry(stored, options)
    default:
      if (stored.names.length === 0 && stored.attributes !== undefined) {
        throw new FileSystemError('ENOTSUP', 'add', stored.path, 'the root directory has no attributes; a snapshot can carry them')
      }

      return draft.setDirectory(stored, stored.attributes, options)
  }
}

function count (report: { -readonly [K in keyof AddReport]: number }, stored: StoredEntry, options: AdditionOptions): void {
  const { path } = stored

  if (stored.change === 'remove') {
    options.onRemoved?.(path)
    return
  }

  const kind = stored.change === 'set' ? stored.entry.kind : 'directory'
  const size = stored.change === 'set' && kind === 'file' ? stored.entry.size : 0
  report.bytes += size
  report[counters[kind]]++
  options.onProgress?.(new CustomProgressEvent('dagfs:add:entry', { path, kind, size }))
}
