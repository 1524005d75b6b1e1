import type { LayersOptions } from './options.ts'
import type { LayerRow } from './report.ts'

/**
 * What a figure has to be, and whether it is
 */
export interface Target {
  readonly what: string
  readonly bound: 'at least' | 'at most'
  readonly limit: number
  readonly value: number
  readonly kept: boolean
}

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
  const ms = (layer: string): number | null | undefined => rows.find(row => row.layer === layer && row.readBytes === judgedReadBytes)?.p50
  const [blocks, log, inPlace, decoded] = ['blocks', 'log', 'in-place', 'decoded'].map(ms)
  const targets: Target[] = []

  if (bytes < LEAST_BYTES) {
    return targets
  }

  if (log != null && blocks != null) {
    targets.push({ what: 'time of log, to that of blocks', bound: 'at most', limit: LOG_FACTOR, value: log / blocks, kept: log <= LOG_FACTOR * blocks })
  }

  if (inPlace != null && decoded != null) {
    targets.push({ what: 'one property in place, times as fast as decoding', bound: 'at least', limit: IN_PLACE_FACTOR, value: decoded / inPlace, kept: decoded >= IN_PLACE_FACTOR * inPlace })
  }

  return targets
}
