import { untilAborted } from '../abort.ts'
import type { AbortOptions } from '../options.ts'

/**
 * Lets any number pass, or one who must be alone: a lock of readers and writers whose readers wait for nothing while it is
 * open. Those who wait are let in before it closes again.
 */
export class ReadWriteLock {
  #inside = 0
  #closed: Promise<void> | undefined
  #onEmpty: (() => void) | undefined
  readonly #waiting = new Set<() => void>()

  /** Enters where nothing has to be waited for, and returns whether the caller is inside; then it has to leave. */
  enterNow (): boolean {
    if (this.#closed !== undefined) {
      return false
    }

    this.#inside++

    return true
  }

  /** Resolves once the caller is inside; it has to leave. */
  async enter (options: AbortOptions = {}): Promise<void> {
    if (this.enterNow()) {
      return
    }

    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)

    try {
      await untilAborted(promise, options.signal)
    } catch (err) {
      if (!this.#waiting.delete(resolve)) {
        this.leave()
      }

      throw err
    }
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
      await untilAborted(this.#closed, options.signal)
    }

    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed = promise

    try {
      await this.#empty()

      return await work()
    } finally {
      this.#closed = undefined
      this.#admit()
      resolve()
    }
  }

  #admit (): void {
    for (const resolve of this.#waiting) {
      this.#inside++
      resolve()
    }

    this.#waiting.clear()
  }

  async #empty (): Promise<void> {
    if (this.#inside > 0) {
      await new Promise<void>(resolve => { this.#onEmpty = resolve })
      this.#onEmpty = undefined
    }
  }
}
