import { CustomProgressEvent } from 'progress-events'
import { EntryCounts } from '../entry-counts.ts'
import { FileSystemError, InvalidOptionError } from '../errors.ts'
import { pace } from '../pace.ts'
import { maxPathSegments, nameFault } from '../path.ts'
import { DraftAttempt } from './draft/attempt.ts'
import { EntryPathSplitter } from './entry-paths.ts'
import { storeAdded } from './store-added.ts'
import type { Draft } from './draft/draft.ts'
import type { Addition, StoredEntry } from './store-added.ts'
import type { AddOptions, AddReport } from './types.ts'
import type { FileLayout } from '../file/index.ts'
import type { PutOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store, few enough to bound open files and memory
const entriesInWork = 16

/** What is added, one after the other or several at a time. */
export type Additions = Iterable<Addition | readonly Addition[]> | AsyncIterable<Addition | readonly Addition[]>

/** Stores the tree from time to time while entries are added, and at the end. */
export interface Checkpoints {
  /** Asked after each entry */
  isDue(): boolean
  /** Told of a tree in which all is that progress was told of until now, and whether that is everything */
  reached(root: CID, isLast: boolean): Promise<void>
}

/** An adapter whose content is in memory of its own says that blocks are `verified`. */
export interface AdditionOptions extends AddOptions, PutOptions {
  readonly checkpoints?: Checkpoints
  /**
   * Entries come as a walk finds them, each directory before what is in it, and may bring the names of their paths. Where
   * the draft holds more bytes, directories that the walk is done with are stored.
   */
  readonly maxFinishedBytes?: number
  /** Told of what was removed */
  onRemoved?(path: string): void
  /** Told of every path that was added or removed */
  onChanged?(path: string): void
}

/**
 * Stores the content of entries and puts them into a draft, in the order in which they come: all of them or, where it
 * fails, none.
 */
export async function addAll (draft: Draft, layout: FileLayout, entries: Additions, options: AdditionOptions): Promise<AddReport> {
  if (!isIterable(entries)) {
    throw new InvalidOptionError('entries', 'must be an array or another iterable of entries such as { path, content }')
  }

  const adding = new Adding(draft, layout, options)

  return draft.attempt(new DraftAttempt(draft.root), async () => adding.addEach(entries))
}

function isIterable (value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
}

/** An entry on its way: what it is once its content is stored, which it then waits with for its turn. */
interface InWork {
  readonly storing?: Promise<void>
  stored?: readonly [StoredEntry | undefined]
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
  readonly #counts = new EntryCounts()
  readonly #paths = new EntryPathSplitter()
  readonly #inWork: InWork[] = []

  constructor (draft: Draft, layout: FileLayout, options: AdditionOptions) {
    this.#draft = draft
    this.#layout = layout
    this.#options = options
  }

  async addEach (entries: Additions): Promise<AddReport> {
    try {
      for await (const entry of entries) {
        for (const added of isSeveral(entry) ? entry : [entry]) {
          // nothing is waited for that is not under way: promises for each of many small files take longer than the files
          const waiting = pace(this.#options)?.then(async () => this.#add(added)) ?? this.#add(added)

          if (waiting !== undefined) {
            await waiting
          }
        }
      }

      return await this.#finish()
    } finally {
      await Promise.allSettled(this.#inWork.map(async ({ storing }) => storing))
    }
  }

  /** Returns undefined where there is nothing to wait for. */
  #add (added: Addition): Promise<void> | undefined {
    const stored = this.#store(added)

    if (this.#inWork.length === 0 && !(stored instanceof Promise)) {
      return this.#place(stored)
    }

    const inWork: InWork = stored instanceof Promise ? { storing: stored.then(entry => { inWork.stored = [entry] }) } : { stored: [stored] }
    // it is awaited in its turn; until then a failure must not count as unhandled
    inWork.storing?.catch(() => {})
    this.#inWork.push(inWork)

    return this.#placeStored() ?? (this.#inWork.length < entriesInWork ? undefined : this.#placeFirst())
  }

  async #finish (): Promise<AddReport> {
    while (this.#inWork.length > 0) {
      await this.#placeFirst()
    }

    const { checkpoints } = this.#options
    await checkpoints?.reached((await this.#draft.settle(this.#options)).cid, true)

    return { ...this.#counts }
  }

  /** A failure is told in its turn. */
  #store (added: Addition): StoredEntry | undefined | Promise<StoredEntry | undefined> {
    try {
      return storeAdded(this.#draft.writer, this.#layout, added, this.#namesOf(added), this.#options)
    } catch (err) {
      return Promise.reject(err)
    }
  }

  #namesOf ({ names, path }: Addition): readonly string[] {
    // those before the last are the names of a directory, which was looked at when it came
    const isKnown = this.#options.maxFinishedBytes !== undefined && names !== undefined && names.length <= maxPathSegments && nameFault(names[names.length - 1]) === undefined

    return isKnown ? names : this.#paths.split(path, 'add')
  }

  async #placeFirst (): Promise<void> {
    await this.#inWork[0].storing
    await pace(this.#options)
    await this.#placeStored()
  }

  /** Places what is stored, up to the first that is not; returns a promise where placing takes one. */
  #placeStored (): Promise<void> | undefined {
    for (let stored = this.#inWork.at(0)?.stored; stored !== undefined; stored = this.#inWork.at(0)?.stored) {
      this.#inWork.shift()
      const placing = this.#place(stored[0])

      if (placing !== undefined) {
        return placing.then(async () => this.#placeStored())
      }
    }
  }

  #place (stored: StoredEntry | undefined): Promise<void> | undefined {
    if (stored === undefined) {
      return
    }

    const placing = place(this.#draft, stored, this.#options)
    const { checkpoints, maxFinishedBytes } = this.#options

    if (placing !== undefined || checkpoints !== undefined || this.#draft.holdsTooMuch(maxFinishedBytes)) {
      return this.#placed(stored, placing)
    }

    this.#count(stored)
  }

  async #placed (stored: StoredEntry, placing: Promise<void> | undefined): Promise<void> {
    await placing

    const { checkpoints, maxFinishedBytes } = this.#options
    await this.#draft.spill(this.#options, maxFinishedBytes)
    this.#count(stored)

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
    this.#counts.add(kind, size)

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
        throw new FileSystemError('ENOTSUP', 'add', stored.path, 'the root has no attributes; a snapshot can')
      }

      return draft.setDirectory(stored, stored.attributes, options)
  }
}
