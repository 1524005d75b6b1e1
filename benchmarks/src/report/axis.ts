import { linearTicks, sayTick } from './quantity.ts'
import { textWidth } from './text-width.ts'
import type { ChartSpec } from './chart.ts'
import type { Unit } from './quantity.ts'

export interface Axis {
  /**
   * What it is of, and which way is better: 'time of an import, shorter is better'
   */
  readonly title: string
  /**
   * What the figures are in; things that are counted have none
   */
  readonly unit?: Unit
  readonly scale?: 'linear' | 'log'
  /**
   * Where the ticks are, if not at round figures
   */
  readonly values?: readonly number[]
}

/**
 * A length that is drawn, and what has to have room beyond its end
 */
export interface Extent {
  readonly end: number
  readonly beyond: number
}

/**
 * Where an axis runs: how long it is drawn, in the chart's units, and what a label takes of that
 */
export interface Course {
  readonly length: number
  roomOf(this: void, label: string): number
}

export function across (length: number): Course {
  return { length, roomOf: label => textWidth(label, FONT_SIZE) + FONT_SIZE }
}

export function upwards (length: number): Course {
  return { length, roomOf: () => 2.5 * FONT_SIZE }
}

export const FONT_SIZE = 12

/**
 * Labels of ticks that are as near to an end of the axis do not reach beyond them
 */
const FLUSH_WITHIN = 24

/**
 * An axis with its ticks, long enough for all extents and what stands beyond them.
 * A log scale begins at the power of ten below `least`, the smallest figure that is shown.
 */
export function axisOf ({ title, unit = '', scale = 'linear', values }: Axis, least: number, extents: readonly Extent[], course: Course): { channel: ChartSpec, least: number } {
  const start = scale === 'log' ? Math.floor(Math.log10(least)) : 0
  const scaled = (value: number): number => scale === 'log' ? Math.log10(value) : value
  const unscaled = (value: number): number => scale === 'log' ? 10 ** value : value
  // one that has no length still needs an axis
  const furthest = Math.max(...extents.map(({ end, beyond }) => (scaled(end) - start) * course.length / (course.length - beyond)), Math.log10(2))
  const most = unscaled(start + furthest)
  const ticks = values ?? fitting(scale === 'log' ? logTicks(start, most) : LINEAR_STEPS.map(steps => linearTicks(most, unit, steps)), unit, course)

  return {
    channel: {
      title,
      scale: { type: scale, domain: [unscaled(start), most], nice: false, zero: false },
      axis: {
        // the last tick need not be where the axis ends
        labelFlush: FLUSH_WITHIN,
        labelOverlap: 'greedy',
        labelSeparation: 8,
        values: ticks,
        labelExpr: `${JSON.stringify(Object.fromEntries(ticks.map(tick => [tick, sayTick(tick, unit)])))}[datum.value]`
      }
    },
    least: unscaled(start)
  }
}

/**
 * How many steps a linear axis may have, the finest first
 */
const LINEAR_STEPS = [6, 5, 4, 3, 2, 1]

/**
 * The finest ticks whose labels have room beside each other
 */
function fitting (choices: ReadonlyArray<readonly number[]>, unit: Unit, { length, roomOf }: Course): readonly number[] {
  return choices.find(ticks => ticks.length * Math.max(...ticks.map(tick => roomOf(sayTick(tick, unit)))) <= length) ?? choices[choices.length - 1]
}

/**
 * Powers of ten with 2 and 5 between them, powers alone, and every second of these
 */
function logTicks (start: number, most: number): number[][] {
  const powers = Array.from({ length: Math.floor(Math.log10(most)) - start + 1 }, (_, index) => powerOfTen(start + index))

  return [
    powers.flatMap(power => [power, 2 * power, 5 * power]).filter(tick => tick <= most),
    powers,
    powers.filter((_, index) => index % 2 === 0)
  ]
}

/**
 * As it is written, which `10 ** -5` is not
 */
function powerOfTen (exponent: number): number {
  return Number(`1e${exponent}`)
}
