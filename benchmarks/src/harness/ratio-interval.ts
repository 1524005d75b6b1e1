import { median, quantile, sampleWithReplacement } from 'simple-statistics'
import { SeededRandom } from '../corpora/keystream.ts'

/**
 * How many times as long one thing takes as another, and the interval that the
 * true ratio is in with a confidence of 95 %
 */
export interface RatioInterval {
  readonly ratio: number
  readonly low: number
  readonly high: number
  /**
   * Rounds that it rests on
   */
  readonly rounds: number
}

const CONFIDENCE = 0.95
const RESAMPLES = 2_000

/**
 * The ratio of two medians, with its interval by a bootstrap over rounds: samples
 * of one index were taken one after the other, so they are drawn together, and
 * what slowed a whole round down moves both. The same samples always give the
 * same interval.
 */
export function ratioInterval (samples: readonly number[], base: readonly number[]): RatioInterval {
  const rounds = Math.min(samples.length, base.length)
  const indices = Array.from({ length: rounds }, (_, index) => index)
  const random = new SeededRandom(`ratio of ${rounds}`)
  const ratioOf = (drawn: number[]): number => median(drawn.map(index => samples[index])) / median(drawn.map(index => base[index]))
  const ratios = Array.from({ length: RESAMPLES }, () => ratioOf(sampleWithReplacement(indices, rounds, () => random.below(2 ** 32) / 2 ** 32)))
  const [low, high] = quantile(ratios, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])

  return { ratio: ratioOf(indices), low, high, rounds }
}
