import type { Seen } from './consumers.ts'
import type { Place } from './sources/source.ts'
import type { TimedSample } from '../../harness/rounds.ts'

/**
 * What the process of one layer does for its parent
 */
export interface LayerWorkerFunctions {
  /**
   * Names what is at work
   */
  open(layer: string, place: Place): Promise<string>
  /**
   * Writes the file of its own that the layer reads
   */
  write(): Promise<void>
  /**
   * Scans once without a clock; a layer that only counts has all bytes hashed
   */
  check(): Promise<Seen>
  round(): Promise<TimedSample>
}
