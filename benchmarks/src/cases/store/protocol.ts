import type { PhaseKey } from './phases.ts'
import type { Identity } from '../../harness/protocol.ts'
import type { TimedSample } from '../../harness/rounds.ts'

/**
 * A store and what is done with it
 */
export interface StoreWorkerInit {
  readonly contender: ContenderKey
  readonly phase: PhaseKey
  readonly directory: string
  readonly blocks: number
  readonly blockBytes: number
  readonly gets: number
}

export type ContenderKey = 'dagfs-pack' | 'blockstore-fs'

/**
 * What the process of one store does for its parent
 */
export interface StoreWorkerFunctions {
  open(init: StoreWorkerInit): Promise<Identity>
  /**
   * Does one round, and answers what every round has to give: how many blocks or
   * bytes it was about
   */
  check(): Promise<{ readonly cid: string }>
  round(): Promise<TimedSample>
  peakMemory(): Promise<number>
}
