import { reportTable } from '../src/report/chart.ts'
import { bars } from '../src/report/specs.ts'
import type { Chart } from '../src/report/chart.ts'

const DATA = [
  { name: 'dagfs <mem>', series: 'cold', value: 4.76, low: 3, high: 9 },
  { name: 'helia-mem', series: 'cold', value: 17.6, low: 12, high: 30_000 },
  { name: 'helia-mem', series: 'warm', value: 14.3 }
]

/**
 * A chart as a case would make it
 */
export const CHART: Chart = {
  title: 'Time & memory',
  caption: 'Shorter bars are faster.',
  basis: '5 samples each.',
  spec: bars(DATA, { title: 'time (log scale)', unit: 'ms', scale: 'log' }),
  table: reportTable('figures', [{ title: 'name', align: 'left', cell: ({ name }) => name }], DATA)
}
