import { figure, kib, markdownTable, megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { byLayer, layerColumns } from './columns.ts'
import { judgedReadBytes } from './targets.ts'
import type { LayersReport } from './report.ts'

/**
 * Lays the report out in Markdown: milliseconds of every layer at every size of
 * reads, and what the figures had to be.
 */
export function printLayers ({ rows, targets, options, stored }: Pick<LayersReport, 'rows' | 'targets' | 'options' | 'stored'>): string {
  if (stored == null) {
    return 'No records were made.'
  }

  const layers = byLayer(rows, options.layers)
  const reasons = Object.entries(Object.groupBy(rows.filter(({ reason }) => reason != null), ({ layer, status, reason }) => `${layer}: ${status}, ${reason}`))
    .map(([told, group = []]) => `${told} (reads of ${group.map(({ readBytes }) => kib(readBytes)).join(', ')} KiB)`)

  return [
    `Milliseconds to scan ${figure(stored.records)} records of dag-cbor, ${megabytes(stored.bytes)} MB, by the size of reads:`,
    markdownTable(layerColumns(options.readSizes), layers),
    layers.map(layer => `- \`${layer[0].layer}\`: ${layer[0].what}${layer[0].by === 'peer' ? ` (${layer.find(({ version }) => version != null)?.version ?? 'not run'})` : ''}`).join('\n'),
    reasons.join('\n'),
    targets.length > 0 ? markdownTable(TARGET_COLUMNS, targets) : `No targets are judged: that takes 100 MB at least, reads of ${kib(judgedReadBytes)} KiB, and all layers of ours.`
  ].filter(part => part !== '').join('\n\n')
}
