import type { ChartSpec } from './chart.ts'

/**
 * One bar, and how far the samples behind it spread
 */
export interface Bar {
  /**
   * The row that it stands in
   */
  readonly name: string
  /**
   * What tells the bars of one row apart; they are coloured by it
   */
  readonly series: string
  readonly value: number
  readonly low?: number
  readonly high?: number
}

/**
 * One point of a line
 */
export interface Point {
  readonly x: number
  readonly series: string
  readonly y: number
  readonly low?: number
  readonly high?: number
}

export interface Axis {
  /**
   * With its unit, and which way is better: 'ms per import, shorter is better'
   */
  readonly title: string
  readonly scale?: 'linear' | 'log'
  /**
   * How numbers are written, as d3-format has it; '~s' is 1k, 10k and so on
   */
  readonly format?: string
  /**
   * Where the ticks are, if not where vega puts them
   */
  readonly values?: readonly number[]
}

/**
 * Horizontal bars, a row for each name in the given order, with a thin line over
 * the spread of those that have one. On a log scale, which has no zero, they
 * begin at the power of ten below the smallest.
 */
export function bars (data: readonly Bar[], axis: Axis): ChartSpec {
  const names = distinct(data.map(({ name }) => name))
  const series = distinct(data.map(bar => bar.series))
  const scale = axisOf(axis, data.flatMap(({ value, low = value, high = value }) => [value, low, high]))

  return {
    data: { values: data },
    height: series.length > 1 ? { step: 14, for: 'offset' } : { step: 24 },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: names, title: null, scale: { paddingInner: series.length > 1 ? 0.25 : 0.3 } },
      ...series.length > 1 ? { yOffset: { field: 'series', type: 'nominal', sort: series } } : {},
      color: colour(series)
    },
    layer: [
      { mark: 'bar', encoding: { x: { field: 'value', type: 'quantitative', ...scale.channel }, x2: { datum: scale.least } } },
      spread('x', data)
    ].filter(layer => layer != null)
  }
}

/**
 * A line for each series, with a mark at every point and a thin line over its
 * spread.
 */
export function lines (data: readonly Point[], x: Axis, y: Axis): ChartSpec {
  const series = distinct(data.map(point => point.series))
  const horizontal = axisOf(x, data.map(point => point.x)).channel
  const vertical = axisOf(y, data.flatMap(({ y: value, low = value, high = value }) => [value, low, high])).channel

  return {
    data: { values: data },
    height: 260,
    encoding: {
      x: { field: 'x', type: 'quantitative', ...horizontal },
      color: colour(series, ABOVE_TITLE),
      // those who cannot tell the colours apart have the marks
      shape: colour(series, ABOVE_TITLE)
    },
    layer: [
      { mark: { type: 'line', clip: false }, encoding: { y: { field: 'y', type: 'quantitative', ...vertical }, shape: null } },
      { mark: { type: 'point', filled: true, size: 50, opacity: 1 }, encoding: { y: { field: 'y', type: 'quantitative', ...vertical } } },
      spread('y', data)
    ].filter(layer => layer != null)
  }
}

/**
 * The title of the vertical axis stands between the legend and the lines
 */
const ABOVE_TITLE: ChartSpec = { offset: 26 }

/**
 * The ticks of a log scale are powers of ten, with 2 and 5 between them where
 * these are few
 */
function axisOf ({ title, scale = 'linear', format, values }: Axis, data: readonly number[]): { channel: ChartSpec, least: number } {
  const given = { ...format == null ? {} : { format }, ...values == null ? {} : { values } }

  if (scale === 'linear') {
    return { channel: { title, scale: { zero: true }, axis: { labelFlush: true, labelOverlap: 'greedy', labelSeparation: 8, tickCount: 6, ...given } }, least: 0 }
  }

  const positive = data.filter(value => value > 0)
  const least = Math.floor(Math.log10(Math.min(...positive)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...positive))))
  const powers = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index))
  const ticks = powers.length > 3 ? powers : powers.flatMap((power, index) => index === powers.length - 1 ? [power] : [power, 2 * power, 5 * power])

  return {
    channel: { title, scale: { type: 'log', domain: [powers[0], powers[powers.length - 1]] }, axis: { labelFlush: true, values: ticks, ...given } },
    least: powers[0]
  }
}

/**
 * Series have their colours by their order
 */
function colour (series: readonly string[], legend: ChartSpec = {}): ChartSpec {
  // one alone needs no legend, and three long names have no room beside each other
  const isLong = series.some(({ length }) => length > LONG_NAME)

  return { field: 'series', type: 'nominal', sort: series, title: null, legend: series.length > 1 ? { ...legend, ...isLong ? { columns: 2 } : {} } : null }
}

const LONG_NAME = 14

function spread (along: 'x' | 'y', data: ReadonlyArray<{ readonly low?: number }>): ChartSpec | undefined {
  if (data.every(({ low }) => low == null)) {
    return undefined
  }

  return {
    transform: [{ filter: 'isValid(datum.low)' }],
    mark: { type: 'rule', strokeWidth: 1.5 },
    encoding: {
      [along]: { field: 'low', type: 'quantitative' },
      [`${along}2`]: { field: 'high' },
      ...along === 'x' ? { color: { value: 'var(--ink)' } } : {},
      shape: null
    }
  }
}

function distinct (values: readonly string[]): string[] {
  return [...new Set(values)]
}
