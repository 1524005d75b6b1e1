import { untilAborted } from '../../abort.ts'
import { pace } from '../../pace.ts'
import { turn } from '../../turn.ts'
import { ReadBatch, batchBytes, batchMemory, maxBatchFiles } from './read-batch.ts'
import { ReaderPool } from './reader-pool.ts'
import type { HostEntry } from './host-walk.ts'
import type { BatchFile } from './read-batch.ts'
import type { AbortOptions } from '../../options.ts'

// small trees are imported before a thread has started
const filesBeforeThreads = 256
const bytesBeforeThreads = 8 * 2 ** 20

const maxGroupEntries = 512
// of the bytes of a batch: sizes vary, and a file that does not fit is read when its turn comes
const wantedFill = 0.5

// with as many in work for each thread, none waits while the first is packed
const groupsForThread = 3

// whoever takes entries has that many in work
const entriesInWork = 16

const exchanged = { outcome: 'exchanged' } as const

/** Entries in a row whose files are read together. */
class Group<T> {
  readonly entries: T[] = []
  readonly paths: string[] = []
  batch: ReadBatch | undefined
  /** A thread that reads into the batch */
  reading: Promise<void> | undefined
  isRead = false
}

/**
 * What becomes of an entry, a file with what was read of it, or with what it turned out after that it cannot be: the bytes are there until 16 more have been asked for.
 * Undefined where it is left out.
 */
export type Make<T, Item> = (entry: T | HostEntry, file: BatchFile | undefined) => Item | undefined

/**
 * Passes on what is made of entries, in their order and many at a time, with the bytes and hashes of files that are small.
 * Threads read ahead of whoever takes them; where they are not there yet, or are behind, files are read here, in slices
 * between which the event loop has its turns.
 */
export class ReadAhead<T extends object, Item> {
  readonly #make: Make<T, Item>
  readonly #inlineBytes: number
  readonly #options: AbortOptions
  readonly #pool: ReaderPool
  /** What was read of the last group that was passed on */
  #passed: ReadBatch | undefined
  readonly #memory: ArrayBuffer[] = []
  #files = 0
  #bytes = 0

  /**
   * @param make - what is passed on of an entry
   * @param inlineBytes - files up to this size need no hash
   * @param options - a signal
   */
  constructor (make: Make<T, Item>, inlineBytes: number, options: AbortOptions) {
    this.#make = make
    this.#inlineBytes = inlineBytes
    this.#options = options
    this.#pool = new ReaderPool(inlineBytes)
  }

  async * read (entries: Iterable<T | HostEntry | undefined> | AsyncIterable<T | HostEntry | undefined>): AsyncGenerator<readonly Item[]> {
    const source = iteratorOf(entries)
    const queue: Array<Group<T | HostEntry>> = []
    let isAtEnd = false

    try {
      for (;;) {
        if (!isAtEnd && await this.#hasRoom(queue)) {
          const group = await this.#next(source)
          isAtEnd = group === undefined

          if (group !== undefined) {
            await this.#start(group, queue)
            queue.push(group)
          }

          continue
        }

        const group = queue.shift()

        if (group === undefined) {
          return
        }

        await untilAborted(group.reading ?? Promise.resolve(), this.#options.signal)

        if (group.reading !== undefined && group.batch === undefined) {
          // the thread has ended
          await this.#readHere(group)
        }

        const items = this.#itemsOf(group)
        yield items
        this.#retire(group.batch, items.length)
      }
    } finally {
      await this.#pool.close()
      await source.return?.()
    }
  }

  /** Whether more is to be looked for before the first group is passed on. */
  async #hasRoom (queue: ReadonlyArray<Group<T | HostEntry>>): Promise<boolean> {
    if (this.#pool.readyThreads > 0) {
      // what threads have read is heard of in a turn
      await turn()
    }

    // one lies there, read, beside those that threads have in work; more were no faster, and took the memory
    return queue.length === 0 || (queue.length <= groupsForThread * this.#pool.readyThreads && (this.#isThreadFree(queue) || !queue[0].isRead))
  }

  #isThreadFree (queue: ReadonlyArray<Group<T | HostEntry>>): boolean {
    return queue.filter(({ isRead }) => !isRead).length < groupsForThread * this.#pool.readyThreads
  }

  async #next (source: Iterator<T | HostEntry | undefined> | AsyncIterator<T | HostEntry | undefined>): Promise<Group<T | HostEntry> | undefined> {
    const group = new Group<T | HostEntry>()
    const files = this.#groupFiles

    while (group.paths.length < files && group.entries.length < maxGroupEntries) {
      const turning = pace(this.#options)

      // a promise for each of many entries takes longer than to find them
      if (turning !== undefined) {
        await turning
      }

      const step = source.next()
      const { done, value } = step instanceof Promise ? await step : step

      if (done === true) {
        return group.entries.length === 0 ? undefined : group
      }

      // something is left out
      if (value === undefined) {
        continue
      }

      group.entries.push(value)

      if (isRead(value)) {
        value.directory.note()
      }

      if (isFile(value)) {
        group.paths.push(value.hostPath)
      }
    }

    return group
  }

  /** As many files as are likely to fit into a batch. */
  get #groupFiles (): number {
    const likely = this.#files === 0 ? maxBatchFiles : wantedFill * batchBytes * this.#files / this.#bytes

    return Math.max(1, Math.min(maxBatchFiles, Math.floor(likely)))
  }

  async #start (group: Group<T | HostEntry>, queue: ReadonlyArray<Group<T | HostEntry>>): Promise<void> {
    if (group.paths.length === 0) {
      group.isRead = true
    } else if (this.#isThreadFree(queue)) {
      group.reading = this.#pool.read(group.paths, this.#takeMemory()).then(memory => {
        group.batch = memory === undefined ? undefined : new ReadBatch(memory)
        group.isRead = true
      })
    } else {
      await this.#readHere(group)
    }
  }

  async #readHere (group: Group<T | HostEntry>): Promise<void> {
    const batch = new ReadBatch(this.#takeMemory())

    for (const path of group.paths) {
      const turning = pace(this.#options)

      if (turning !== undefined) {
        await turning
      }

      batch.add(path, this.#inlineBytes)
    }

    group.batch = batch
    group.isRead = true
  }

  #takeMemory (): ArrayBuffer {
    return this.#memory.pop() ?? batchMemory()
  }

  /** Memory is used again once nobody has anything of it in work: enough was taken since. What was left out does not count. */
  #retire (batch: ReadBatch | undefined, taken: number): void {
    if (taken >= entriesInWork && this.#passed !== undefined) {
      this.#memory.push(this.#passed.memory)
    }

    this.#passed = batch
  }

  #itemsOf ({ entries, paths, batch }: Group<T | HostEntry>): Item[] {
    const files = batch?.files(paths.length)
    const items = entries.map(entry => {
      const file = isFile(entry) ? files?.next().value ?? undefined : undefined

      if (file?.outcome === 'read') {
        this.#count(file.bytes.byteLength)
      }

      return this.#make(entry, file)
    })
    // all that was read of them was read before
    const since = performance.now()

    return entries.flatMap((entry, i) => (items[i] === undefined || !isRead(entry) || entry.directory.isIntact(since) ? items[i] : this.#make(entry, exchanged)) ?? [])
  }

  #count (bytes: number): void {
    // the latest thousands count
    if (this.#files >= 4096) {
      this.#files /= 2
      this.#bytes /= 2
    }

    this.#files++
    this.#bytes += bytes

    if (this.#files >= filesBeforeThreads || this.#bytes >= bytesBeforeThreads) {
      this.#pool.start()
    }
  }
}

function isFile (entry: object): entry is HostEntry {
  return isRead(entry) && entry.kind === 'file'
}

/** Whether something is read of it: not of what is added to the tree as it is, nor of directories. */
function isRead (entry: object): entry is HostEntry {
  return 'hostPath' in entry && 'kind' in entry && entry.kind !== 'directory'
}

function iteratorOf <T> (entries: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in entries ? entries[Symbol.asyncIterator]() : entries[Symbol.iterator]()
}
