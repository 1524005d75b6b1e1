import { FONT_SIZE, across, axisOf, upwards } from './axis.ts'
import { sayShort } from './quantity.ts'
import { CHART_PADDING, CHART_WIDTH, textWidth } from './text-width.ts'
import type { Axis } from './axis.ts'
import type { ChartSpec } from './chart.ts'

export type { Axis } from './axis.ts'

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

const VALUE_FONT_SIZE = 11
/**
 * Between a bar's end and its value
 */
const VALUE_GAP = 4
/**
 * Tick and padding between the names and the bars
 */
const NAME_GAP = 8
/**
 * Values of bars may take this much of their axis, and are left out where they would take more
 */
const VALUE_SHARE = 0.5

/**
 * Horizontal bars, a row for each name in the given order, each with its value at its end, and with a thin line over
 * the spread of those that have one. On a log scale, which has no zero, they
 * begin at the power of ten below the smallest.
 */
export function bars (data: readonly Bar[], axis: Axis): ChartSpec {
  const names = distinct(data.map(({ name }) => name))
  const series = distinct(data.map(bar => bar.series))
  // where every row has one bar, it stands at the middle of its name
  const isGrouped = names.length < data.length
  const length = CHART_WIDTH - 2 * CHART_PADDING - NAME_GAP - Math.max(...names.map(name => textWidth(name, FONT_SIZE)))
  const said = data.map(bar => ({ ...bar, end: Math.max(bar.value, bar.high ?? bar.value), said: sayShort(bar.value, axis.unit ?? '') }))
  const extents = said.map(bar => ({ end: bar.end, beyond: 2 * VALUE_GAP + textWidth(bar.said, VALUE_FONT_SIZE) }))
  const isSaid = extents.every(({ beyond }) => beyond < length * VALUE_SHARE)
  const shown = axis.scale === 'log' ? extents.filter(({ end }) => end > 0) : extents
  const scale = axisOf(axis, leastOf(data), isSaid ? shown : shown.map(extent => ({ ...extent, beyond: 0 })), across(length))

  return {
    data: { values: said },
    height: isGrouped ? { step: 14, for: 'offset' } : { step: 24 },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: names, title: null, scale: { paddingInner: isGrouped ? 0.25 : 0.3 } },
      ...isGrouped ? { yOffset: { field: 'series', type: 'nominal', sort: series } } : {},
      color: colour(series, data.every(bar => bar.name.includes(bar.series)) ? null : {})
    },
    layer: [
      { mark: 'bar', encoding: { x: { field: 'value', type: 'quantitative', ...scale.channel }, x2: { datum: scale.least } } },
      ...spread('x', data),
      ...isSaid ? [{ mark: { type: 'text', align: 'left', baseline: 'middle', dx: VALUE_GAP, fontSize: VALUE_FONT_SIZE }, encoding: { x: { field: 'end', type: 'quantitative' }, text: { field: 'said' }, color: { value: 'var(--ink)' } } }] : []
    ]
  }
}

/**
 * A line for each series, with a mark at every point and a thin line over its
 * spread.
 */
export function lines (data: readonly Point[], x: Axis, y: Axis): ChartSpec {
  const series = distinct(data.map(point => point.series))
  const horizontal = axisOf(x, Math.min(...data.map(point => point.x)), data.map(point => ({ end: point.x, beyond: 0 })), across(LINES_WIDTH))
  const vertical = axisOf(y, leastOf(data.map(point => ({ ...point, value: point.y }))), data.map(point => ({ end: Math.max(point.y, point.high ?? point.y), beyond: 0 })), upwards(LINES_HEIGHT))

  return {
    data: { values: data },
    height: LINES_HEIGHT,
    encoding: {
      x: { field: 'x', type: 'quantitative', ...horizontal.channel },
      color: colour(series, ABOVE_TITLE),
      // those who cannot tell the colours apart have the marks
      shape: colour(series, ABOVE_TITLE)
    },
    layer: [
      { mark: { type: 'line', clip: false }, encoding: { y: { field: 'y', type: 'quantitative', ...vertical.channel }, shape: null } },
      { mark: { type: 'point', filled: true, size: 50, opacity: 1 }, encoding: { y: { field: 'y', type: 'quantitative', ...vertical.channel } } },
      ...spread('y', data)
    ]
  }
}

const LINES_HEIGHT = 260
/**
 * What the labels of the vertical axis leave, at least
 */
const LINES_WIDTH = 280

/**
 * The title of the vertical axis stands between the legend and the lines
 */
const ABOVE_TITLE: ChartSpec = { offset: 26 }

/**
 * The smallest figure that a logarithm can be taken of; on an axis with a zero nothing depends on it
 */
function leastOf (data: ReadonlyArray<{ readonly value: number, readonly low?: number }>): number {
  return Math.min(...data.flatMap(({ value, low = value }) => [value, low]).filter(value => value > 0))
}

/**
 * Series have their colours by their order. The legend is null where the names say it already
 */
function colour (series: readonly string[], legend: ChartSpec | null): ChartSpec {
  // one alone needs no legend
  return { field: 'series', type: 'nominal', sort: series, title: null, legend: legend != null && series.length > 1 ? { ...legend, columns: legendColumns(series) } : null }
}

/**
 * A symbol with what stands between it and its text, and what stands between columns
 */
const SYMBOL_WIDTH = 18
const COLUMN_GAP = 10

/**
 * As many columns as there is room for, each as wide as the widest of its texts
 */
function legendColumns (series: readonly string[]): number {
  const widths = series.map(text => SYMBOL_WIDTH + textWidth(text, FONT_SIZE))
  const widthOf = (columns: number): number => Array.from({ length: columns }, (_, column) => Math.max(...widths.filter((_, index) => index % columns === column)) + COLUMN_GAP).reduce((sum, width) => sum + width, -COLUMN_GAP)
  const fitting = series.map((_, index) => index + 1).filter(columns => widthOf(columns) <= CHART_WIDTH - 2 * CHART_PADDING)

  return Math.max(1, ...fitting)
}

/**
 * A thin line; over a bar it has an outline in the colour of what is behind the chart, since no one colour
 * stands out from all bars, both light and dark
 */
function spread (along: 'x' | 'y', data: ReadonlyArray<{ readonly low?: number }>): ChartSpec[] {
  if (data.every(({ low }) => low == null)) {
    return []
  }

  const rule = (strokeWidth: number, color: ChartSpec): ChartSpec => ({
    transform: [{ filter: 'isValid(datum.low)' }],
    mark: { type: 'rule', strokeWidth },
    encoding: {
      [along]: { field: 'low', type: 'quantitative' },
      [`${along}2`]: { field: 'high' },
      ...color,
      shape: null
    }
  })

  return along === 'y'
    ? [rule(RULE_WIDTH, {})]
    : [rule(OUTLINE_WIDTH, { color: { value: 'var(--card)' } }), rule(RULE_WIDTH, { color: { value: 'var(--ink)' } })]
}

const RULE_WIDTH = 1.5
const OUTLINE_WIDTH = 4.5

function distinct (values: readonly string[]): string[] {
  return [...new Set(values)]
}
