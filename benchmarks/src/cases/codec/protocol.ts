import type { CarRun } from './car.ts'
import type { DirectoryContent, DirectoryFigures } from './directories.ts'
import type { TimedSample } from '../../harness/rounds.ts'

export interface Prepared {
  /**
   * Of all values of the family, encoded
   */
  readonly bytes: number
  /**
   * sha2-256 over all of them
   */
  readonly digest: string
}

/**
 * What a codec's process does for its parent
 */
export interface CodecWorkerFunctions {
  open(codec: string): Promise<string>
  /**
   * Makes the values of a family and encodes, decodes and encodes them again,
   * which has to give the same bytes
   */
  prepare(family: string, values: number, seed: string): Promise<Prepared>
  encode(): Promise<TimedSample>
  decode(): Promise<TimedSample>
  directory(content: DirectoryContent, entries: number, options: { iterations: number, minTimeMs: number, seed: string }): Promise<DirectoryFigures>
  readCar(file: string): Promise<CarRun>
  rewriteCar(file: string, copy: string): Promise<CarRun>
}
