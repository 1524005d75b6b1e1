import { figure } from '../harness/markdown.ts'

/**
 * What a figure is of; `''` are things that are counted
 */
export type Unit = 'ns' | 'µs' | 'ms' | 's' | 'B' | 'MB' | 'MB/s' | '%' | 'x' | ''

/**
 * The units that one kind of figure is said in, from the smallest, and how many of the first each of them is
 */
const SCALES: ReadonlyArray<ReadonlyArray<readonly [Unit | 'KiB' | 'MiB' | 'GiB', number]>> = [
  [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]],
  [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30]]
]

/**
 * Says a figure in short, with three digits and in the unit in which it is read best: `633 ms`, `1.23 s`
 */
export function sayShort (value: number, unit: Unit): string {
  if (value === 0) {
    return '0'
  }

  const { name, factor } = readableUnit(value, unit)
  const scaled = value / factor

  return `${figure(scaled, decimalsOf(scaled))} ${name}`.trimEnd()
}

/**
 * Says a place on an axis, which no digit may be missing of
 */
export function sayTick (value: number, unit: Unit): string {
  if (value === 0) {
    return '0'
  }

  const { name, factor } = readableUnit(value, unit)

  return `${figure(value / factor, TICK_DECIMALS)} ${name}`.trimEnd()
}

/**
 * Round figures from 0 to at most the greatest, in the unit that this one is read in, with at most `count` steps.
 */
export function linearTicks (greatest: number, unit: Unit, count: number): number[] {
  const { factor } = readableUnit(greatest, unit)
  const step = roundStep(greatest / factor / count)

  return Array.from({ length: Math.floor(greatest / factor / step) + 1 }, (_, index) => Number((index * step).toPrecision(PRECISION)) * factor)
}

const TICK_DECIMALS = 6
/**
 * Digits of a number that come out right, whatever it is made of
 */
const PRECISION = 12

function readableUnit (value: number, unit: Unit): { name: string, factor: number } {
  const scale = SCALES.find(units => units.some(([name]) => name === unit))
  const own = scale?.find(([name]) => name === unit)

  if (scale == null || own == null) {
    return { name: unit, factor: 1 }
  }

  const [name, size] = scale.findLast(([, least]) => value * own[1] >= least) ?? scale[0]

  return { name, factor: size / own[1] }
}

function decimalsOf (value: number): number {
  if (value >= 100) {
    return 0
  }

  return value >= 10 ? 1 : 2
}

/**
 * 1, 2 or 5 times a power of ten, and no less than the value
 */
function roundStep (least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5].find(candidate => candidate * power >= least * (1 - Number.EPSILON)) ?? 10

  return factor * power
}
