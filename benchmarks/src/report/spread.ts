import { quantile } from 'simple-statistics'

/**
 * What a bar of samples shows
 */
export interface Spread {
  readonly median: number
  /**
   * The 5th and the 95th percentile: nine of ten samples lie between them, or all of them where
   * they are fewer than `WHOLE_RANGE_BELOW`
   */
  readonly low: number
  readonly high: number
}

export function spreadOf (samples: readonly number[]): Spread {
  const tail = samples.length < WHOLE_RANGE_BELOW ? 0 : 0.05
  const [low, median, high] = quantile([...samples], [tail, 0.5, 1 - tail])

  return { median, low, high }
}

/**
 * Of fewer samples than this, less than one is a twentieth: leaving one out at each end leaves out more
 */
export const WHOLE_RANGE_BELOW = 20

/**
 * Says what the thin line over rows of so many samples each is.
 */
export function saySpread (counts: readonly number[]): string {
  if (counts.every(count => count < WHOLE_RANGE_BELOW)) {
    return 'the thin line is the range of all samples'
  }

  const nineOfTen = 'nine of ten samples lie within the thin line'

  return counts.every(count => count >= WHOLE_RANGE_BELOW) ? nineOfTen : `${nineOfTen}, and all of them where they are fewer than ${WHOLE_RANGE_BELOW}`
}

/**
 * Says on how many samples figures rest: `5 samples each`, `5 to 211 samples each`
 */
export function saySamples (counts: readonly number[]): string {
  return `${sayCounts(counts)} samples each`
}

/**
 * Says how many of something there are, from the fewest to the most: `5`, `5 to 211`
 */
export function sayCounts (counts: readonly number[]): string {
  const least = Math.min(...counts)
  const most = Math.max(...counts)

  return least === most ? `${least}` : `${least} to ${most}`
}
