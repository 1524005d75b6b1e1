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
  const begin = axis.scale === 'log' ? powerOfTenBelow(data) : 0

  return {
    data: { values: data },
    height: { step: series.length > 1 ? 14 : 24, for: series.length > 1 ? 'offset' : 'position' },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: names, title: null, scale: { paddingInner: series.length > 1 ? 0.25 : 0.3 } },
      ...series.length > 1 ? { yOffset: { field: 'series', type: 'nominal', sort: series } } : {},
      color: colour(series)
    },
    layer: [
      { mark: 'bar', encoding: { x: { field: 'value', type: 'quantitative', ...axisOf(axis, { domainMin: begin }) }, x2: { datum: begin } } },
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

  return {
    data: { values: data },
    height: 240,
    encoding: {
      x: { field: 'x', type: 'quantitative', ...axisOf(x) },
      color: colour(series)
    },
    layer: [
      { mark: { type: 'line' }, encoding: { y: { field: 'y', type: 'quantitative', ...axisOf(y) } } },
      { mark: { type: 'point', filled: true, size: 50, opacity: 1 }, encoding: { y: { field: 'y', type: 'quantitative' }, shape: { field: 'series', type: 'nominal', sort: series, legend: null } } },
      spread('y', data)
    ].filter(layer => layer != null)
  }
}

function axisOf ({ title, scale = 'linear', format, values }: Axis, domain: ChartSpec = {}): ChartSpec {
  return {
    title,
    scale: scale === 'log' ? { type: 'log', ...domain } : { zero: true, ...domain },
    axis: { ...format == null ? {} : { format }, ...values == null ? {} : { values } }
  }
}

function powerOfTenBelow (data: readonly Bar[]): number {
  const least = Math.min(...data.flatMap(({ value, low = value }) => [value, low]).filter(value => value > 0))

  return 10 ** Math.floor(Math.log10(least))
}

/**
 * Series have their colours by their order; one alone needs no legend
 */
function colour (series: readonly string[]): ChartSpec {
  return { field: 'series', type: 'nominal', sort: series, title: null, ...series.length > 1 ? {} : { legend: null } }
}

function spread (along: 'x' | 'y', data: ReadonlyArray<{ readonly low?: number }>): ChartSpec | undefined {
  if (data.every(({ low }) => low == null)) {
    return undefined
  }

  return {
    transform: [{ filter: 'isValid(datum.low)' }],
    mark: { type: 'rule', strokeWidth: 1.5, color: 'var(--ink)' },
    encoding: { [along]: { field: 'low', type: 'quantitative' }, [`${along}2`]: { field: 'high' }, color: { value: 'var(--ink)' } }
  }
}

function distinct (values: readonly string[]): string[] {
  return [...new Set(values)]
}
