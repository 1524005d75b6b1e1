import { figure, kib } from '../../harness/markdown.ts'
import { judgedReadBytes } from './targets.ts'
import type { LayerRow } from './report.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * The rows of each layer that has any, in the order of the layers.
 */
export function byLayer (rows: readonly LayerRow[], layers: readonly string[]): LayerRow[][] {
  return layers.map(layer => rows.filter(row => row.layer === layer)).filter(({ length }) => length > 0)
}

/**
 * A column for each size of reads
 */
export function layerColumns (readSizes: readonly number[]): Array<Column<readonly LayerRow[]>> {
  return [
    { title: 'Layer', align: 'left', cell: ([row]) => row.layer },
    ...readSizes.map(readBytes => ({
      title: `${kib(readBytes)} KiB`,
      cell: (layer: readonly LayerRow[]) => cellOf(layer.find(row => row.readBytes === readBytes))
    })),
    { title: `MB/s at ${kib(judgedReadBytes)} KiB`, cell: layer => rateOf(layer.find(({ readBytes }) => readBytes === judgedReadBytes)) },
    { title: 'runs', cell: sayRuns }
  ]
}

/**
 * How many runs the figures of a layer rest on: `3 to 15` where its sizes of reads differ
 */
function sayRuns (layer: readonly LayerRow[]): string {
  const counts = layer.map(({ samples }) => samples).filter(samples => samples > 0)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]

  if (counts.length === 0) {
    return '0'
  }

  return least === most ? figure(least) : `${figure(least)} to ${figure(most)}`
}

function cellOf (row: LayerRow | undefined): string {
  return row?.p50 == null ? row?.status ?? '' : figure(row.p50)
}

function rateOf (row: LayerRow | undefined): string {
  return row?.p50 == null || row.bytes == null ? '' : figure(row.bytes / 1000 / row.p50)
}
