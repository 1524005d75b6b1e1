import { availableParallelism } from 'node:os'
import { HelperThreads, workerFile } from '../../threads/index.ts'

// the thread that packs what they read keeps no more than these busy, and a core itself
const threads = Math.max(0, Math.min(3, availableParallelism() - 1))

/** What a thread is asked: paths with NUL between them, and memory for a batch, which it gives back. */
export interface ReadRequest {
  readonly paths: string
  readonly memory: ArrayBuffer
}

/** Threads that read and hash files. */
export class ReaderPool extends HelperThreads<ReadRequest, ArrayBuffer> {
  constructor (inlineBytes: number) {
    super(workerFile(import.meta.url, 'reader-worker'), 'dagfs-import', threads, inlineBytes)
  }

  /** Reads files as a batch, in a thread; answers undefined where no thread is left, and the memory is lost. */
  async read (paths: readonly string[], memory: ArrayBuffer): Promise<ArrayBuffer | undefined> {
    return this.ask({ paths: paths.join('\0'), memory }, [memory])
  }
}
