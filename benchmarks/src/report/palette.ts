import { CHART_PADDING } from './text-width.ts'
import type { Config } from 'vega-lite'

/**
 * The colours of a page, by the names that charts have for them
 */
export type Palette = Readonly<Record<ColourName, string>>

type ColourName = 'paper' | 'card' | 'ink' | 'soft' | 'grid' | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`

// series are told apart by those who see no red or no green, and stand out by 3:1 or more from the card
export const LIGHT: Palette = {
  paper: '#f6f7f9',
  card: '#ffffff',
  ink: '#1b1f24',
  soft: '#57606a',
  grid: '#d8dee4',
  'series-1': '#0068b5',
  'series-2': '#d55e00',
  'series-3': '#00825a',
  'series-4': '#b0468c',
  'series-5': '#8a6d00',
  'series-6': '#4b4bc3',
  'series-7': '#5c6670',
  'series-8': '#b3261e'
}

export const DARK: Palette = {
  paper: '#0d1117',
  card: '#161b22',
  ink: '#e6edf3',
  soft: '#9ea7b3',
  grid: '#30363d',
  'series-1': '#58a6ff',
  'series-2': '#ff9b50',
  'series-3': '#3fc99a',
  'series-4': '#f08cc8',
  'series-5': '#dfc04a',
  'series-6': '#a5a5ff',
  'series-7': '#aab4be',
  'series-8': '#ff7b72'
}

const variable = (name: ColourName): string => `var(--${name})`
const series = [1, 2, 3, 4, 5, 6, 7, 8] as const

// a legend begins where the names do, not where the bars do; vega-lite passes this on, and has no type for it
const LEGEND_PLACE: object = { layout: { top: { frame: 'bounds' } } }

/**
 * How all charts look. Colours are variables of CSS, so that one drawing serves
 * light and dark.
 */
export const CONFIG: Config = {
  background: 'transparent',
  font: 'system-ui, sans-serif',
  padding: CHART_PADDING,
  range: { category: series.map(number => variable(`series-${number}`)) },
  view: { stroke: 'transparent' },
  axis: {
    labelColor: variable('ink'),
    titleColor: variable('soft'),
    gridColor: variable('grid'),
    domainColor: variable('soft'),
    tickColor: variable('soft'),
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelLimit: 0,
    titleLimit: 0
  },
  // a title that is longer than its axis reaches back below the names, where there is room
  axisX: { titleAnchor: 'end' },
  axisY: { titleAnchor: 'end', titleAngle: 0, titleAlign: 'left', titleBaseline: 'bottom', titleX: 0, titleY: -8 },
  legend: { orient: 'top', direction: 'horizontal', labelColor: variable('ink'), labelFontSize: 12, titleColor: variable('soft'), labelLimit: 0, symbolStrokeColor: 'transparent', ...LEGEND_PLACE },
  bar: { color: variable('series-1') },
  line: { color: variable('series-1'), strokeWidth: 2 },
  point: { color: variable('series-1') },
  rule: { color: variable('ink') },
  text: { color: variable('ink'), fontSize: 12 }
}

/**
 * Writes a palette as declarations of CSS.
 */
export function declarations (palette: Palette): string {
  return Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(';')
}

/**
 * Puts a palette's colours where a drawing has their names, for pictures that
 * stand alone.
 */
export function paint (svg: string, palette: Palette): string {
  return svg.replaceAll(/var\(--([a-z0-9-]+)\)/g, (_, name: ColourName) => {
    const colour = palette[name]

    if (colour == null) {
      throw new Error(`there is no colour ${name}`)
    }

    return colour
  })
}
