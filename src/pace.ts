import { turn } from './turn.ts'
import type { AbortOptions } from './options.ts'

// hashing and decoding are synchronous: without this an abort or a timer would wait for the end of the work
const turnEveryMs = 12

/**
 * Keeps a long piece of work polite: to be awaited between its steps, it gives the event loop a turn when the last
 * one was a while ago, and throws the signal's reason once it is aborted.
 */
export class Pace {
  readonly #signal: AbortSignal | undefined
  #next = performance.now() + turnEveryMs

  constructor (options: AbortOptions = {}) {
    this.#signal = options.signal
    this.#signal?.throwIfAborted()
  }

  step (): Promise<void> | undefined {
    this.#signal?.throwIfAborted()

    return performance.now() < this.#next ? undefined : this.#turn()
  }

  async #turn (): Promise<void> {
    await turn()
    this.#next = performance.now() + turnEveryMs
    this.#signal?.throwIfAborted()
  }
}
