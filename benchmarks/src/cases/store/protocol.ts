import type { PhaseFunctions } from '../../harness/serve-phase.ts'

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

export type PhaseKey = 'fill' | 'get' | 'open' | 'scan'

export type ContenderKey = 'dagfs-pack' | 'blockstore-fs'

/**
 * What the process of one store does for its parent: what every round gives is how
 * many blocks or bytes it was about
 */
export type StoreWorkerFunctions = PhaseFunctions<StoreWorkerInit>
