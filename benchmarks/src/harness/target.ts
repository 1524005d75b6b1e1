import { median } from 'simple-statistics'
import { figure } from './markdown.ts'
import { sharedRounds } from './raw-times.ts'
import type { Column } from './markdown.ts'
import type { RatioInterval } from './ratio-interval.ts'
import type { RawTimes } from './raw-times.ts'

/**
 * What a figure has to be, and whether it is
 */
export interface Target {
  readonly what: string
  readonly bound: 'at least' | 'at most'
  readonly limit: number
  /** Empty where a number of things is meant that the words name */
  readonly unit: string
  readonly value: number
  readonly kept: boolean
  /**
   * What the true ratio lies in with a confidence of 95 %; absent where the value is none, or nobody asked
   */
  readonly interval?: Pick<RatioInterval, 'low' | 'high'>
}

export const TARGET_COLUMNS: ReadonlyArray<Column<Target>> = [
  { title: 'what', align: 'left', cell: ({ what }) => what },
  { title: 'target', cell: ({ bound, limit, unit }) => `${bound} ${withUnit(limit, unit)}` },
  { title: 'measured', cell: ({ value, unit, interval }) => `${withUnit(value, unit)}${interval == null ? '' : ` (${figure(interval.low, 2)}–${figure(interval.high, 2)})`}` },
  { title: 'result', align: 'left', cell: ({ kept }) => kept ? 'kept' : 'missed' }
]

/**
 * A target from below; none where there is no value.
 */
export function atLeast (what: string, limit: number, value: number | undefined, unit: string): Target | undefined {
  return value == null ? undefined : { what, bound: 'at least', limit, unit, value, kept: value >= limit }
}

/**
 * A target from above; none where there is no value.
 */
export function atMost (what: string, limit: number, value: number | undefined, unit: string): Target | undefined {
  return value == null ? undefined : { what, bound: 'at most', limit, unit, value, kept: value <= limit }
}

/**
 * Missed targets first, in their order otherwise.
 */
export function missedFirst <T extends Target> (targets: readonly T[]): T[] {
  return targets.toSorted((a, b) => Number(a.kept) - Number(b.kept))
}

/**
 * Says which targets are missed, a line for each.
 */
export function sayMissed (targets: readonly Target[]): string[] {
  return targets.filter(({ kept }) => !kept).map(({ what, bound, limit, unit, value }) => `${what}: ${withUnit(value, unit)}, target ${bound} ${figure(limit, 2)}`)
}

function withUnit (value: number, unit: string): string {
  return unit === '' ? figure(value, 2) : `${figure(value, 2)} ${unit}`
}

/**
 * How many times as long the one took as the other, where both were measured, by
 * the medians of the rounds that both were in.
 */
export function ratio (a: RawTimes | undefined, b: RawTimes | undefined): number | undefined {
  const [some, others] = sharedTimes(a, b)

  return some.length === 0 ? undefined : median(some) / median(others)
}

/**
 * The same as a difference, in milliseconds.
 */
export function difference (a: RawTimes | undefined, b: RawTimes | undefined): number | undefined {
  const [some, others] = sharedTimes(a, b)

  return some.length === 0 ? undefined : median(some) - median(others)
}

function sharedTimes (a: RawTimes | undefined, b: RawTimes | undefined): [number[], number[]] {
  const rounds = a == null || b == null ? [] : sharedRounds(a, b)

  return [rounds.flatMap(([some]) => some), rounds.flatMap(([, others]) => others)]
}
