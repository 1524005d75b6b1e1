import { MovedPlaces } from '../block-index/moved-places.ts'
import { isAtOrBehind } from '../format/locations.ts'
import { KeyFilter } from './key-filter.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'

/**
 * Which blocks were put since the last commit, or the store was opened, or would have been if the store had not had them: a
 * draft may need them, though no root reaches them. Found blocks are remembered by some bits of their hash, so that now and
 * then a block more is kept than would have to be.
 */
export class GcProtectedSet {
  /** What was gathered since each record that is not published yet, and before the first of them */
  #gathered: Gathered[]
  readonly #moved = new MovedPlaces()
  #holders = 0

  constructor (start: LogPosition) {
    this.#gathered = [{ start, found: new KeyFilter() }]
  }

  add (key: Uint8Array): void {
    this.#gathered.at(-1)?.found.add(key)
  }

  has (key: Uint8Array, location: Location): boolean {
    return (isAtOrBehind(location, this.#gathered[0].start) && !this.#moved.has(location)) || this.isFound(key)
  }

  /** Notes that a block was moved, whose new place says nothing of when it was put. To be told in the order of places. */
  move (key: Uint8Array, from: Location, to: Location): void {
    if (!this.has(key, from)) {
      this.#moved.add(to)
    }
  }

  /** Whether a put found the block in the store */
  isFound (key: Uint8Array): boolean {
    return this.#gathered.some(({ found }) => found.has(key))
  }

  /**
   * Notes that a record with roots ends here. The returned function forgets what was gathered before, unless somebody
   * relies on it. Call it once the roots are published; puts may come before that.
   */
  mark (start: LogPosition): () => void {
    const since: Gathered = { start, found: new KeyFilter() }
    this.#gathered.push(since)

    return () => {
      const before = this.#gathered.indexOf(since)

      if (this.#holders === 0 && before > 0) {
        this.#gathered.splice(0, before)
        this.#moved.forgetBefore(this.#gathered[0].start)
      }
    }
  }

  /** Keeps gathering while something runs. */
  async hold <T> (work: () => Promise<T>): Promise<T> {
    this.#holders++

    try {
      return await work()
    } finally {
      this.#holders--
    }
  }
}

interface Gathered {
  readonly start: LogPosition
  readonly found: KeyFilter
}
