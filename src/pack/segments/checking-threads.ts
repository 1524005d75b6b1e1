import { availableParallelism } from 'node:os'
import { HelperThreads, workerFile } from '../../threads/index.ts'
import { hashed } from '../files/read-hashed.ts'
import type { OpenFile } from '../files/files.ts'
import type { Hashed } from '../files/read-hashed.ts'
import type { Location } from '../format/locations.ts'

/** Where a block stands in a file that this process has open */
export interface HashRequest {
  readonly descriptor: number
  readonly offset: number
  readonly length: number
}

// whoever reads keeps no more than these busy, and has little else to do; one core has nothing to gain
const threads = availableParallelism() > 1 ? Math.min(3, availableParallelism()) : 0

// what takes longer to read and hash than to hand over
const leastBytes = 2 ** 18
// of such blocks: whoever reads less is done before a thread has started
const bytesBeforeThreads = 16 * 2 ** 20

/**
 * Reads and hashes large blocks in threads, several at once, while the thread that uses them is free.
 */
export class CheckingThreads {
  readonly #threads = new HelperThreads<HashRequest, Hashed | undefined>(workerFile(import.meta.url, 'checking-worker'), 'dagfs-pack', threads)
  #bytes = 0

  /**
   * Reads a block that stands in an open file, in a thread or by `readHere`: one that is small, or whose file only
   * stands for one of the system's, always here.
   */
  async read ({ descriptor }: OpenFile, { offset, length }: Omit<Location, 'segment'>, readHere: () => Promise<Uint8Array>): Promise<Hashed> {
    if (length < leastBytes || descriptor === undefined) {
      return hashed(await readHere())
    }

    this.#bytes += length

    if (this.#bytes >= bytesBeforeThreads) {
      this.#threads.start()
    }

    return await this.#threads.ask({ descriptor, offset, length }) ?? hashed(await readHere())
  }

  async close (): Promise<void> {
    await this.#threads.close()
  }
}
