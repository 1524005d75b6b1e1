import { figure, kib, megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars, lines } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { sayChecks } from './checks.ts'
import { layerColumns, byLayer } from './columns.ts'
import { layerOf } from './layers.ts'
import { unavailableOf } from './unavailable.ts'
import type { LayerRow, LayersReport } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'
import type { Axis } from '../../report/specs.ts'

/**
 * The sizes of reads that the published bars are of
 */
const BAR_SIZES = [16, 32, 64].map(size => size * 1024)

const TIME: Axis = { title: 'time of a scan, lower is better', unit: 'ms', scale: 'log' }

/**
 * Shows a scan through every layer: lines over the size of reads, ours and others', and bars at three of them.
 */
export function sections (report: LayersReport): Section[] {
  const { options, rows, stored, targets } = report

  if (stored == null) {
    return []
  }

  const measured = rows.filter(({ status }) => status === 'ok')
  const basis = `${measured.length === 0 ? 'No samples' : saySamples(measured.map(({ samples }) => samples))}, a scan of ${megabytes(stored.bytes)} MB from the system's cache each; medians; ${saySpread(measured.map(({ samples }) => samples))}.`

  return [{
    title: 'Layers of a log',
    shows: `${figure(stored.records)} records of dag-cbor of about 1 KB in a pack store are scanned from the first to the last, each time doing a little more with them: reading the file, cutting it up, finding the records, reading one property of each in place, decoding each.`,
    conditions: [
      ['records', `${figure(stored.records)}, ${megabytes(stored.bytes)} MB, from the seed ${options.seed}`],
      ['property', 'content.type of every record'],
      ['versions', [...new Set(measured.map(({ version }) => version))].join('; ')],
      ['options', `at least ${options.iterations} samples of a row, one scan of each layer in turn, each layer in a process of its own`],
      ['durability', 'Nothing is written while the clock runs.'],
      ...byLayer(rows, options.layers).map(([{ layer, what }]) => [layer, what] as const)
    ],
    charts: measured.length === 0
      ? []
      : [
          lineChart('Our layers, by the size of reads', measured.filter(({ by }) => by === 'dagfs'), basis, report, 'layers'),
          lineChart('Other logs of the same records, by the size of reads', measured.filter(({ by, layer }) => by === 'peer' || layer === 'log'), basis, report),
          barChart(measured, basis, report)
        ],
    tables: [reportTable('Targets', TARGET_COLUMNS, targets)],
    notes: [
      'Published for flumelog-offset on 343 MB with reads of 64 KiB: file 564 ms, blocks 740 ms, log 2,140 ms, parsed JSON 6,050 ms, on another machine.',
      // what an older report says nothing of was not compared
      ...stored.files == null ? [] : [`Before they are timed, layers are held against what was stored: ${sayChecks(options.layers.map(layerOf))}. Every later scan has to come to the same counts.`]
    ],
    unavailable: unavailableOf(rows)
  }]
}

function lineChart (title: string, rows: readonly LayerRow[], basis: string, { options }: LayersReport, picture?: string): Chart {
  return {
    title,
    caption: 'Across: how many KiB are read at once. Upwards: how long one scan of everything takes, each step ten times as long; lower is faster. Up to 64 KiB, file, blocks and what reads the pack store read in the thread that scans; larger reads go through the thread pool, which makes the hump at 256 KiB.',
    basis,
    spec: lines(rows.map(({ readBytes, layer, rawMs }) => {
      const { median, low, high } = spreadOf(rawMs)

      return { x: readBytes / 1024, series: layer, y: median, low, high }
    }), { title: 'KiB read at once', scale: 'log', values: options.readSizes.map(size => size / 1024) }, TIME),
    table: reportTable(title, layerColumns(options.readSizes), byLayer(rows, options.layers)),
    ...picture == null ? {} : { picture }
  }
}

function barChart (rows: readonly LayerRow[], basis: string, { options }: LayersReport): Chart {
  const sizes = BAR_SIZES.filter(size => options.readSizes.includes(size))
  const shown = rows.filter(({ readBytes }) => sizes.includes(readBytes))
  const title = 'All layers with reads of 16, 32 and 64 KiB'

  return {
    title,
    caption: 'A bar is how long one scan of everything takes, each step across ten times as long; shorter is faster. The higher layers cost more than small reads do.',
    basis,
    spec: bars(shown.map(({ readBytes, layer, rawMs }) => {
      const { median, low, high } = spreadOf(rawMs)

      return { name: layer, series: `${kib(readBytes)} KiB`, value: median, low, high }
    }), { ...TIME, title: 'time of a scan, shorter is better' }),
    table: reportTable(title, layerColumns(sizes), byLayer(shown, options.layers))
  }
}
