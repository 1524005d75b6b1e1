import { median, quantile, sampleWithReplacement } from 'simple-statistics'
import { SeededRandom } from '../corpora/keystream.ts'
import { sharedRounds } from './raw-times.ts'
import type { RawTimes } from './raw-times.ts'

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
 * The ratio of two medians, with its interval by a bootstrap over the rounds that
 * both were in: a round's samples were taken one after the other, so they are drawn
 * together, and what slowed a whole round down moves both. The same samples always
 * give the same interval.
 */
export function ratioInterval (samples: RawTimes, base: RawTimes): RatioInterval {
  const rounds = sharedRounds(samples, base)
  const random = new SeededRandom(`ratio of ${rounds.length}`)
  const ratioOf = (drawn: typeof rounds): number => median(drawn.flatMap(([some]) => some)) / median(drawn.flatMap(([, others]) => others))
  const ratios = Array.from({ length: RESAMPLES }, () => ratioOf(sampleWithReplacement([...rounds], rounds.length, () => random.below(2 ** 32) / 2 ** 32)))
  const [low, high] = quantile(ratios, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])

  return { ratio: ratioOf(rounds), low, high, rounds: rounds.length }
}
