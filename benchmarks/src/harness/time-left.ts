/**
 * Says how far a run of several parts is, and how much time is left by the pace
 * so far
 */
export class TimeLeft {
  readonly #weights: readonly number[]
  readonly #now: () => number
  #current = 0
  #began = NaN
  #doneMs = 0
  #doneWeight = 0
  #guessedMs: number | undefined

  /**
   * @param weights - how long the parts take, in relation to one another
   * @param guessedMs - how long a weight of 1 takes, where that is known before
   */
  constructor (weights: readonly number[], guessedMs?: number, now: () => number = () => performance.now()) {
    this.#weights = weights
    this.#guessedMs = guessedMs
    this.#now = now
  }

  begin (index: number): void {
    this.#current = index
    this.#began = this.#now()
  }

  /**
   * The part that was begun last is done
   */
  done (): void {
    this.#doneMs += this.#now() - this.#began
    this.#doneWeight += this.#weights[this.#current]
    this.#guessedMs = this.#doneMs / this.#doneWeight
  }

  /**
   * `part 2 of 5, about 3 min left`; nothing for a single part whose time nobody knows
   */
  say (): string {
    const count = this.#weights.length === 1 ? '' : `part ${this.#current + 1} of ${this.#weights.length}`

    return [count, this.sayTime()].filter(text => text !== '').join(', ')
  }

  /**
   * `about 3 min left`, and nothing while nobody knows
   */
  sayTime (): string {
    if (this.#guessedMs == null) {
      return ''
    }

    const ahead = this.#weights.slice(this.#current).reduce((sum, weight) => sum + weight, 0)
    const leftMs = ahead * this.#guessedMs - (this.#now() - this.#began)

    return `about ${sayDuration(Math.max(0, leftMs))} left`
  }
}

/**
 * Seconds below two minutes, then minutes
 */
export function sayDuration (ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`
}
