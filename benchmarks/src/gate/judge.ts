import { mean } from 'simple-statistics'
import { holm } from './multiple.ts'
import { FALSE_ALARMS } from './plan.ts'
import { lowerLimit, signedRank } from './signed-rank.ts'
import type { Side } from './measure-pair.ts'
import type { GateLook } from './plan.ts'
import type { Times } from './protocol.ts'

/**
 * Processor's time, of all threads, and what a clock on the wall says
 */
export const MEASURES = ['cpu', 'wall'] as const

export type Measure = typeof MEASURES[number]

/**
 * Logarithms of the checkout's time to the baseline's, one for each pair of processes
 */
export type Differences = Readonly<Record<Measure, readonly number[]>>

/**
 * What all pairs say of one measure of one row
 */
export interface Compared {
  readonly measure: Measure
  /**
   * The checkout's time to the baseline's
   */
  readonly ratio: number
  /**
   * How likely a ratio like this, or a higher one, is in any of the rows that are judged
   * together where nothing changed; 1 where the row is not judged
   */
  readonly p: number
  /**
   * What the ratio is at least: the chance that it is less in any of the rows that are
   * judged together is at most `FALSE_ALARMS`, whatever `p` is
   */
  readonly atLeast: number
}

/**
 * Takes one pair's runs of a row together, by means: garbage is collected in some of the
 * runs, so that a median is one of two times, whichever has a few runs more.
 */
export function compareTimes ({ baseline, checkout }: Readonly<Record<Side, Times>>): Record<Measure, number> {
  const compare = (measure: Measure): number => Math.log(mean([...checkout[measure]]) / mean([...baseline[measure]]))

  return { cpu: compare('cpu'), wall: compare('wall') }
}

/**
 * Says whether a row looks slower, so that more has to be known of it.
 */
export function looksSlower (differences: Differences, found: number, { doubt, least }: GateLook): boolean {
  return MEASURES.some(measure => {
    const { estimate, p } = signedRank(differences[measure])

    return estimate > Math.log1p(found) * least && p <= doubt
  })
}

/**
 * How much slower a row looks, as a logarithm
 */
export function suspicionOf (differences: Differences): number {
  return Math.max(...MEASURES.map(measure => signedRank(differences[measure]).estimate))
}

/**
 * Judges rows together, by pairs that had no part in choosing them: however these
 * rows were chosen, that raises the chance of a false alarm by nothing.
 */
export function judgeRows (rows: ReadonlyMap<string, Differences>): Map<string, Compared[]> {
  const subjects = [...rows].flatMap(([key, differences]) => MEASURES.map(measure => ({ key, measure, differences: differences[measure] })))
  const results = subjects.map(({ differences }) => signedRank(differences))
  const adjusted = holm(results.map(({ p }) => p))
  const judged = new Map<string, Compared[]>()

  for (const [index, { key, measure, differences }] of subjects.entries()) {
    judged.set(key, [...judged.get(key) ?? [], {
      measure,
      ratio: Math.exp(results[index].estimate),
      p: adjusted[index],
      atLeast: Math.exp(lowerLimit(differences, FALSE_ALARMS / subjects.length))
    }])
  }

  return judged
}

/**
 * Slower for sure, and by enough to count.
 */
export function isSlower (compared: Compared, found: number): boolean {
  return compared.p <= FALSE_ALARMS && countsAsSlower(compared, found)
}

/**
 * Rather what has to be found than nothing: above the middle between the two.
 */
export function countsAsSlower ({ ratio }: Compared, found: number): boolean {
  return ratio > leastRatio(found)
}

/**
 * The ratio above which a row fails, where it is slower for sure
 */
export function leastRatio (found: number): number {
  return 1 + found / 2
}
