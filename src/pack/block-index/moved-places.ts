import { isAtOrBehind } from '../format/locations.ts'
import { maxHeadBytes } from '../format/section.ts'
import type { Location } from '../format/locations.ts'
import type { LogPosition } from '../format/record.ts'

/** Blocks one behind the other, with nothing in between: where the first and the last one begin, and where that ends */
interface Run {
  readonly segment: number
  readonly first: number
  last: number
  end: number
}

/**
 * Where blocks stand that a compaction moved there. They come one behind the other but for what is put meanwhile, so that few
 * numbers stand for many.
 */
export class MovedPlaces {
  #runs: Run[] = []

  /** Takes a place behind all others. */
  add ({ segment, offset, length }: Location): void {
    const run = this.#runs.at(-1)
    const end = offset + length

    // nothing fits in but the block's own head: another block or record would have one, too
    if (run?.segment === segment && offset - run.end <= maxHeadBytes) {
      run.last = offset
      run.end = end
    } else {
      this.#runs.push({ segment, first: offset, last: offset, end })
    }
  }

  has (place: LogPosition): boolean {
    const run = this.#runs[this.#firstAtOrBehind(place)]

    return run?.segment === place.segment && run.first <= place.offset
  }

  /** Forgets what stands before a place, which a record ends at. */
  forgetBefore (place: LogPosition): void {
    this.#runs = this.#runs.slice(this.#firstAtOrBehind(place))
  }

  /** The first run whose last block is at a place or behind it */
  #firstAtOrBehind (place: LogPosition): number {
    let [low, high] = [0, this.#runs.length]

    while (low < high) {
      const middle = (low + high) >>> 1
      const { segment, last } = this.#runs[middle]

      if (isAtOrBehind({ segment, offset: last }, place)) {
        high = middle
      } else {
        low = middle + 1
      }
    }

    return low
  }
}
