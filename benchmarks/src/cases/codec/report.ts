import type { CarDescription, CarRun } from './car.ts'
import type { DirectoryFigures } from './measure-directories.ts'
import type { CodecOptions } from './options.ts'
import type { StrictnessRow } from './strictness.ts'
import type { CaseReport } from '../../report/chart.ts'

export type Direction = 'encode' | 'decode'

/**
 * One codec, family and direction
 */
export interface FamilyRow {
  readonly case: 'codec'
  readonly family: string
  readonly codec: string
  readonly version?: string
  readonly direction: Direction
  readonly status: 'ok' | 'failed'
  readonly reason?: string
  /**
   * Of a value, encoded
   */
  readonly averageBytes?: number
  /**
   * sha2-256 over all encodings: equal where two codecs write the same bytes
   */
  readonly digest?: string
  readonly samples: number
  /**
   * Each of all values of the family
   */
  readonly rawMs: readonly number[]
  /**
   * How many samples each round took; one where nothing is said
   */
  readonly rounds?: readonly number[]
  readonly opsPerSec?: number
}

export interface CarRow {
  readonly codec: string
  readonly work: 'read' | 'read and write'
  readonly status: 'ok' | 'failed'
  readonly reason?: string
  /**
   * The one of median time
   */
  readonly run?: CarRun
  /**
   * Of all runs, in their order; absent where one failed
   */
  readonly rawMs?: readonly number[]
}

/**
 * What becomes of a CAR with strings that are not UTF-8, which the document could not
 * read and write
 */
export interface IllFormedCar {
  readonly car: CarDescription
  /**
   * Read and written with such strings kept as the bytes that they are
   */
  readonly kept: CarRow
  /**
   * What the strict reader said; null where it read them
   */
  readonly refusal: string | null
}

/**
 * Something that has to hold
 */
export interface Requirement {
  readonly what: string
  readonly holds: boolean
}

export interface CodecReport extends CaseReport {
  readonly schema: 1
  readonly case: 'codec'
  readonly options: CodecOptions
  readonly rows: readonly FamilyRow[]
  readonly directories: readonly DirectoryFigures[]
  readonly strictness: readonly StrictnessRow[]
  /**
   * Null where the run was interrupted before
   */
  readonly car: CarDescription | null
  readonly carRows: readonly CarRow[]
  /**
   * Absent where it was not measured
   */
  readonly illFormedCar?: IllFormedCar | null
  readonly requirements: readonly Requirement[]
}
