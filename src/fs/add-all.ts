import { CustomProgressEvent } from 'progress-events'
import { FileSystemError } from '../errors.ts'
import { pace } from '../pace.ts'
import { EntryPathSplitter } from './entry-paths.ts'
import { storeAdded } from './store-added.ts'
import type { Draft } from './draft/draft.ts'
import type { Addition, StoredEntry } from './store-added.ts'
import type { AddOptions, AddReport } from './types.ts'
import type { FileLayout } from '../file/index.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store, few enough to bound open files and memory
const entriesInWork = 16

const counters = { file: 'files', directory: 'directories', symlink: 'symlinks' } as const

/** What is added, one after the other or several at a time. */
export type Additions = Iterable<Addition | readonly Addition[]> | AsyncIterable<Addition | readonly Addition[]>

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
  /** Told of every path that was added or removed */
  onChanged?(path: string): void
}

/**
 * Stores the content of entries and puts them into a draft, in the order in which they come.
 */
export async function addAll (draft: Draft, layout: FileLayout, entries: Additions, options: AdditionOptions): Promise<AddReport> {
  const adding = new Adding(draft, layout, options)

  try {
    for await (const entry of entries) {
      for (const added of isSeveral(entry) ? entry : [entry]) {
        // nothing is waited for that is not under way: promises for each of many small files take longer than the files
        const waiting = pace(options)?.then(async () => adding.add(added)) ?? adding.add(added)

        if (waiting !== undefined) {
          await waiting
        }
      }
    }

    return await adding.finish()
  } finally {
    await adding.settled()
  }
}

function isSeveral (entry: Addition | readonly Addition[]): entry is readonly Addition[] {
  return Array.isArray(entry)
}

/**
 * Some entries in work at a time, and put into the draft in their order. Where one fails, what is still in work is waited for,
 * so that nothing goes on behind the caller's back.
 */
class Adding {
  readonly #draft: Draft
  readonly #layout: FileLayout
  readonly #options: AdditionOptions
  readonly #report = { files: 0, directories: 0, symlinks: 0, bytes: 0 }
  readonly #paths = new EntryPathSplitter()
  readonly #inWork: Array<Promise<StoredEntry | undefined>> = []

  constructor (draft: Draft, layout: FileLayout, options: AdditionOptions) {
    this.#draft = draft
    this.#layout = layout
    this.#options = options
  }

  /** Answers undefined where there is nothing to wait for. */
  add (added: Addition): Promise<void> | undefined {
    const stored = this.#store(added)

    if (this.#inWork.length === 0 && !(stored instanceof Promise)) {
      return this.#place(stored)
    }

    const storing = Promise.resolve(stored)
    // it is awaited in its turn; until then a failure must not count as unhandled
    storing.catch(() => {})
    this.#inWork.push(storing)

    return this.#inWork.length < entriesInWork ? undefined : this.#placeFirst()
  }

  async finish (): Promise<AddReport> {
    while (this.#inWork.length > 0) {
      await this.#placeFirst()
    }

    const { checkpoints } = this.#options
    await checkpoints?.reached((await this.#draft.settle(this.#options)).cid, true)

    return this.#report
  }

  async settled (): Promise<void> {
    await Promise.allSettled(this.#inWork)
  }

  /** A failure is told in its turn. */
  #store (added: Addition): StoredEntry | undefined | Promise<StoredEntry | undefined> {
    try {
      return storeAdded(this.#draft.writer, this.#layout, added, this.#options, this.#paths)
    } catch (err) {
      return Promise.reject(err)
    }
  }

  async #placeFirst (): Promise<void> {
    const stored = await this.#inWork[0]
    this.#inWork.shift()
    await pace(this.#options)
    await this.#place(stored)
  }

  #place (stored: StoredEntry | undefined): Promise<void> | undefined {
    if (stored === undefined) {
      return
    }

    const placing = place(this.#draft, stored, this.#options)

    if (placing !== undefined || this.#draft.isOverBudget || this.#options.checkpoints !== undefined) {
      return this.#placed(stored, placing)
    }

    this.#count(stored)
  }

  async #placed (stored: StoredEntry, placing: Promise<void> | undefined): Promise<void> {
    await placing

    if (this.#draft.isOverBudget) {
      await this.#draft.spill(this.#options)
    }

    this.#count(stored)
    const { checkpoints } = this.#options

    if (checkpoints?.isDue() === true) {
      await checkpoints.reached((await this.#draft.settle(this.#options)).cid, false)
    }
  }

  #count (stored: StoredEntry): void {
    const { path } = stored
    this.#options.onChanged?.(path)

    if (stored.change === 'remove') {
      this.#options.onRemoved?.(path)
      return
    }

    const kind = stored.change === 'set' ? stored.entry.kind : 'directory'
    const size = stored.change === 'set' && kind === 'file' ? stored.entry.size : 0
    this.#report.bytes += size
    this.#report[counters[kind]]++

    // an event costs as much as the rest of this
    if (this.#options.onProgress !== undefined) {
      this.#options.onProgress(new CustomProgressEvent('dagfs:add:entry', { path, kind, size }))
    }
  }
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
