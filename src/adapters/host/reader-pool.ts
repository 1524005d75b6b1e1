import { availableParallelism } from 'node:os'
import { clearTimeout, setTimeout } from 'node:timers'
import { HelperThreads, workerFile } from '../../threads/index.ts'

// the thread that packs what they read keeps no more than these busy, and a core itself
const threads = Math.max(0, Math.min(3, availableParallelism() - 1))

/** For how long an import leaves its threads to the next one. */
export const keptMs = 2_000

/** What a thread is asked: paths with NUL between them, and memory for a batch, which it gives back. */
export interface ReadRequest {
  readonly paths: string
  /** Files up to this size need no hash */
  readonly inlineBytes: number
  readonly memory: ArrayBuffer
}

type Readers = HelperThreads<ReadRequest, ArrayBuffer>

/**
 * Threads that read and hash files, for one import. It leaves them to the next one, if that comes soon: a thread that
 * has just started runs code that is not compiled yet, and an import of 30,000 files takes a fifth longer with it.
 */
export class ReaderPool {
  readonly #inlineBytes: number
  #readers: Readers | undefined
  #isClosed = false

  /**
   * @param inlineBytes - files up to this size need no hash
   */
  constructor (inlineBytes: number) {
    this.#inlineBytes = inlineBytes
  }

  /** How many threads can be given work. */
  get readyThreads (): number {
    return this.#readers?.readyThreads ?? 0
  }

  /** Takes the threads that there are, or starts some; only the first call does. */
  start (): void {
    if (!this.#isClosed) {
      this.#readers ??= takeKept() ?? startReaders()
    }
  }

  /** Reads files as a batch, in a thread; returns undefined where no thread is left, and the memory is lost. */
  async read (paths: readonly string[], memory: ArrayBuffer): Promise<ArrayBuffer | undefined> {
    return this.#readers?.ask({ paths: paths.join('\0'), inlineBytes: this.#inlineBytes, memory }, [memory])
  }

  /** Leaves the threads to the next import, or ends them where they have work that nobody waits for. */
  async close (): Promise<void> {
    const readers = this.#readers
    this.#isClosed = true
    this.#readers = undefined

    if (readers !== undefined && !keep(readers)) {
      await readers.close()
    }
  }
}

function startReaders (): Readers {
  const readers: Readers = new HelperThreads(workerFile(import.meta.url, 'reader-worker'), 'dagfs-import', threads)
  readers.start()

  return readers
}

/** Threads that are nobody's, and when they end; they keep no process alive. */
let kept: { readonly readers: Readers, readonly timer: NodeJS.Timeout } | undefined

function takeKept (): Readers | undefined {
  const taken = kept
  kept = undefined
  clearTimeout(taken?.timer)

  return taken?.readers.isIdle === true ? taken.readers : undefined
}

/** Returns whether they are kept: several imports at once have threads of their own, of which those of one are. */
function keep (readers: Readers): boolean {
  if (kept !== undefined || !readers.isIdle) {
    return false
  }

  const timer = setTimeout(() => {
    kept = undefined
    void readers.close()
  }, keptMs)
  timer.unref()
  kept = { readers, timer }

  return true
}
