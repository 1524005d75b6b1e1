import { raceSignal } from 'race-signal'
import type { AbortOptions } from '../options.ts'

/**
 * Lets any number pass, or one who must be alone: a lock of readers and writers whose readers wait for nothing while it is
 * open.
 */
export class Gate {
  #inside = 0
  #closed: Promise<void> | undefined
  #onEmpty: (() => void) | undefined

  /** Resolves once the caller is inside; it has to leave. */
  async enter (options: AbortOptions = {}): Promise<void> {
    while (this.#closed !== undefined) {
      await raceSignal(this.#closed, options.signal)
    }

    this.#inside++
  }

  leave (): void {
    this.#inside--

    if (this.#inside === 0) {
      this.#onEmpty?.()
    }
  }

  /** Does some work when everybody has left, and keeps the others out until it is done. */
  async alone <T> (work: () => Promise<T>, options: AbortOptions = {}): Promise<T> {
    while (this.#closed !== undefined) {
      await raceSignal(this.#closed, options.signal)
    }

    const closed = Promise.withResolvers<undefined>()
    this.#closed = closed.promise

    try {
      await this.#empty()

      return await work()
    } finally {
      this.#closed = undefined
      closed.resolve(undefined)
    }
  }

  async #empty (): Promise<void> {
    if (this.#inside > 0) {
      await new Promise<void>(resolve => { this.#onEmpty = resolve })
      this.#onEmpty = undefined
    }
  }
}
