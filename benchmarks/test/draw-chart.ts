import { renderChart } from '../src/report/render-chart.ts'
import { CHART } from './chart.ts'

// draws in a process of its own, and says in which locale

const { locale } = new Intl.NumberFormat().resolvedOptions()

process.stdout.write(JSON.stringify({ locale, svg: await renderChart(CHART, 'a') }))
