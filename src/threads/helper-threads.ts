import { Worker } from 'node:worker_threads'
import { ready } from './answer.ts'
import type { Transferable } from 'node:worker_threads'

interface Thread<Answer> {
  readonly worker: Worker
  isReady: boolean
  /** Pending requests, in their order */
  readonly waiting: Array<(answer: Answer | undefined) => void>
}

/**
 * Threads that do a part of the work. They are a help and nothing that is relied on: where there is none, or one ends
 * early, whoever asked does it himself. They keep no process alive that waits for nothing.
 */
export class HelperThreads<Request, Answer> {
  readonly #file: URL
  readonly #name: string
  readonly #count: number
  #threads: Array<Thread<Answer>> = []
  #isStarted = false

  /**
   * @param file - what runs in them, see `workerFile`
   * @param name - of the threads, for whoever looks at a process
   * @param count - how many are started
   */
  constructor (file: URL, name: string, count: number) {
    this.#file = file
    this.#name = name
    this.#count = count
  }

  /** How many threads can be given work. */
  get readyThreads (): number {
    return this.#threads.reduce((count, { isReady }) => count + (isReady ? 1 : 0), 0)
  }

  /** Whether there are threads, and none has something to do. */
  get isIdle (): boolean {
    return this.#threads.length > 0 && this.#threads.every(({ waiting }) => waiting.length === 0)
  }

  /** Starts threads, which takes some 50 ms; only the first call does. */
  start (): void {
    if (this.#isStarted) {
      return
    }

    this.#isStarted = true

    try {
      for (let left = this.#count; left > 0; left--) {
        this.#threads.push(this.#startThread())
      }
    } catch {
      // threads are not allowed, or there are too many: those that there are do the work, or nobody does
    }
  }

  /** Has a thread do something; returns undefined where no thread is left, and what was handed over is lost. */
  async ask (request: Request, handedOver: Transferable[] = []): Promise<Answer | undefined> {
    const [thread] = this.#threads.filter(({ isReady }) => isReady).sort((a, b) => a.waiting.length - b.waiting.length)

    if (thread === undefined) {
      return
    }

    return new Promise(resolve => {
      thread.waiting.push(resolve)
      thread.worker.ref()
      thread.worker.postMessage(request, handedOver)
    })
  }

  /** Ends the threads, whatever they are doing. */
  async close (): Promise<void> {
    this.#isStarted = true
    await Promise.all(this.#threads.map(async thread => {
      await thread.worker.terminate()
      this.#drop(thread)
    }))
  }

  #startThread (): Thread<Answer> {
    const thread: Thread<Answer> = { worker: new Worker(this.#file, { name: this.#name }), isReady: false, waiting: [] }

    thread.worker.on('message', (message: Answer | typeof ready) => {
      if (message === ready) {
        thread.isReady = true
        return
      }

      thread.waiting.shift()?.(message)

      if (thread.waiting.length === 0) {
        thread.worker.unref()
      }
    })
    // it cannot be started, or has failed: its work is done without it
    thread.worker.on('error', () => { this.#drop(thread) })
    thread.worker.on('exit', () => { this.#drop(thread) })
    // after the listeners, which count as somebody who waits
    thread.worker.unref()

    return thread
  }

  #drop (thread: Thread<Answer>): void {
    this.#threads = this.#threads.filter(other => other !== thread)
    thread.waiting.splice(0).forEach(resolve => { resolve(undefined) })
  }
}

/** The file of a worker as it stands beside a module, compiled or not. */
export function workerFile (module: string, name: string): URL {
  return new URL(`./${name}.${module.endsWith('.ts') ? 'ts' : 'js'}`, module)
}
