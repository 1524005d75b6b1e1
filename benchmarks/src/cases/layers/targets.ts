import { ratioInterval } from '../../harness/ratio-interval.ts'
import { atLeast, atMost, ratio } from '../../harness/target.ts'
import type { LayersOptions } from './options.ts'
import type { LayerRow } from './report.ts'
import type { Target } from '../../harness/target.ts'

/**
 * The size of reads at which the published figures were compared
 */
export const judgedReadBytes = 65_536
/**
 * Of less than this, a scan is over before it is at its speed
 */
const LEAST_BYTES = 100_000_000
const LOG_FACTOR = 1.3
const IN_PLACE_FACTOR = 3

/**
 * Holds the rows against the project's targets; nothing is judged where they are
 * not all there, or little was stored.
 */
export function judgeTargets (rows: readonly LayerRow[], { bytes }: Pick<LayersOptions, 'bytes'>): Target[] {
  if (bytes < LEAST_BYTES) {
    return []
  }

  const of = (layer: string): LayerRow | undefined => rows.find(row => row.layer === layer && row.readBytes === judgedReadBytes)

  return [
    withInterval(atMost('time of log, to that of blocks', LOG_FACTOR, ratio(of('log'), of('blocks')), 'x'), of('log'), of('blocks')),
    withInterval(atLeast('one property in place, times as fast as decoding', IN_PLACE_FACTOR, ratio(of('decoded'), of('in-place')), 'x'), of('decoded'), of('in-place'))
  ].filter(target => target != null)
}

/**
 * A target with what its ratio lies in; few rounds give a wide interval, and one no other than the ratio
 */
function withInterval (target: Target | undefined, row: LayerRow | undefined, base: LayerRow | undefined): Target | undefined {
  if (target == null || row == null || base == null) {
    return target
  }

  const { low, high } = ratioInterval(row, base)

  return { ...target, interval: { low, high } }
}
