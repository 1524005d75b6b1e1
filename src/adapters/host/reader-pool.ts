import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

// the thread that packs what they read keeps no more than these busy
const maxThreads = 3

/** What a thread is asked: paths with NUL between them, and memory for a batch, which it gives back. */
export interface ReadRequest {
  readonly paths: string
  readonly memory: ArrayBuffer
}

interface Thread {
  readonly worker: Worker
  isReady: boolean
  /** Those who wait for batches, in the order in which they asked */
  readonly waiting: Array<(memory: ArrayBuffer | undefined) => void>
}

/**
 * Threads that read and hash files. They are a help and nothing that is relied on: where there is none, or one ends
 * early, whoever asked reads by himself.
 */
export class ReaderPool {
  readonly #inlineBytes: number
  #threads: Thread[] = []
  #isStarted = false

  constructor (inlineBytes: number) {
    this.#inlineBytes = inlineBytes
  }

  /** How many threads can be given work. */
  get readyThreads (): number {
    return this.#threads.reduce((count, { isReady }) => count + (isReady ? 1 : 0), 0)
  }

  /** Starts threads, which takes some 50 ms; only the first call does. */
  start (): void {
    if (this.#isStarted) {
      return
    }

    this.#isStarted = true

    // one core has nothing to gain
    for (let left = Math.min(maxThreads, availableParallelism() - 1); left > 0; left--) {
      this.#threads.push(this.#startThread())
    }
  }

  /** Reads files as a batch, in a thread; answers undefined where no thread is left, and the memory is lost. */
  async read (paths: readonly string[], memory: ArrayBuffer): Promise<ArrayBuffer | undefined> {
    const [thread] = this.#threads.filter(({ isReady }) => isReady).sort((a, b) => a.waiting.length - b.waiting.length)

    if (thread === undefined) {
      return
    }

    return new Promise(resolve => {
      thread.waiting.push(resolve)
      thread.worker.postMessage({ paths: paths.join('\0'), memory } satisfies ReadRequest, [memory])
    })
  }

  /** Ends the threads, whatever they are doing. */
  async close (): Promise<void> {
    this.#isStarted = true
    await Promise.all(this.#threads.map(async thread => {
      this.#drop(thread)
      await thread.worker.terminate()
    }))
  }

  #startThread (): Thread {
    // as it stands beside this file, compiled or not
    const file = import.meta.url.endsWith('.ts') ? new URL('./reader-worker.ts', import.meta.url) : new URL('./reader-worker.js', import.meta.url)
    const thread: Thread = { worker: new Worker(file, { workerData: this.#inlineBytes, name: 'dagfs-import' }), isReady: false, waiting: [] }

    thread.worker.on('message', (message: ArrayBuffer | 'ready') => {
      if (message === 'ready') {
        thread.isReady = true
      } else {
        thread.waiting.shift()?.(message)
      }
    })
    // it cannot be started, or has failed: its files are read without it
    thread.worker.on('error', () => { this.#drop(thread) })
    thread.worker.on('exit', () => { this.#drop(thread) })

    return thread
  }

  #drop (thread: Thread): void {
    this.#threads = this.#threads.filter(other => other !== thread)
    thread.waiting.splice(0).forEach(resolve => { resolve(undefined) })
  }
}
