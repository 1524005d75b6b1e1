import { FsBlockstore } from 'blockstore-fs'
import type { AbortOptions } from 'dagfs'
import type { CID } from 'multiformats/cid'

/**
 * Has an abort come from outside, a while after so many blocks were put. A timer
 * does it, so that an event loop that is held delays the abort as it would delay
 * a user's; the time counts from when it was due.
 */
export class AbortingStore extends FsBlockstore {
  readonly #controller = new AbortController()
  readonly #delayMs: number
  #putsLeft: number
  #timer: NodeJS.Timeout | undefined
  dueAt = Number.POSITIVE_INFINITY

  constructor (directory: string, afterPuts: number, delayMs: number) {
    super(directory)
    this.#putsLeft = afterPuts
    this.#delayMs = delayMs
  }

  get signal (): AbortSignal {
    return this.#controller.signal
  }

  async put (cid: CID, bytes: Uint8Array, options?: AbortOptions): Promise<CID> {
    if (this.#putsLeft-- === 0) {
      this.dueAt = performance.now() + this.#delayMs
      this.#timer = setTimeout(() => { this.#controller.abort() }, this.#delayMs)
    }

    return super.put(cid, bytes, options)
  }

  /**
   * Keeps an abort that was not needed from holding the process.
   */
  disarm (): void {
    clearTimeout(this.#timer)
  }
}
