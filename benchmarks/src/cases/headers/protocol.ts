import type { StoreKey } from './options.ts'
import type { SubjectFunctions } from '../../harness/measure-subjects.ts'
import type { TimedSample } from '../../harness/rounds.ts'

export interface HeadersWorkerInit {
  readonly contender: string
  readonly operation: string
  readonly fileBytes: number
  /**
   * Runs in one sample
   */
  readonly runs: number
  /**
   * Samples that are taken and left out before all others
   */
  readonly warmUpRounds: number
  readonly store: StoreKey
  /**
   * An existing, empty directory for what is stored on disk
   */
  readonly directory: string
}

/**
 * What was asked of the store in one run
 */
export interface Counted {
  readonly blocksRead: number
  readonly bytesRead: number
  readonly blocksPut: number
  readonly bytesPut: number
}

export interface Checked {
  readonly cid: string
  readonly counted: Counted
}

/**
 * What the process of one contender, operation, size and store does for its parent
 */
export type HeadersWorkerFunctions = SubjectFunctions<HeadersWorkerInit, Checked, TimedSample>
