import { quantile } from 'simple-statistics'

/**
 * What a bar of samples shows
 */
export interface Spread {
  readonly median: number
  /**
   * The 5th and the 95th percentile: nine of ten samples lie between them
   */
  readonly low: number
  readonly high: number
}

export function spreadOf (samples: readonly number[]): Spread {
  const [low, median, high] = quantile([...samples], [0.05, 0.5, 0.95])

  return { median, low, high }
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
