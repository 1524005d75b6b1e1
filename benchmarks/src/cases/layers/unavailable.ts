import { kib } from '../../harness/markdown.ts'
import type { LayerRow } from './report.ts'
import type { Unavailable } from '../../report/chart.ts'

/**
 * Says which layers were not measured, each reason once with the sizes of reads that it holds for.
 */
export function unavailableOf (rows: readonly LayerRow[]): Unavailable[] {
  return [...Map.groupBy(rows.filter(({ reason }) => reason != null), ({ layer, reason }) => `${layer}: ${reason}`).values()]
    .map(group => ({ what: `${group[0].layer}, reads of ${group.map(({ readBytes }) => kib(readBytes)).join(', ')} KiB`, reason: group[0].reason ?? '' }))
}
