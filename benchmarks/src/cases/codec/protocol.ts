import type { CarRun } from './car.ts'
import type { DirectoryContent } from './directories.ts'
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
  /**
   * Makes a directory's block and looks names up in it, and answers its bytes
   */
  openDirectory(way: string, content: DirectoryContent, entries: number, seed: string): Promise<number>
  lookUp(): Promise<TimedSample>
  readCar(file: string): Promise<CarRun>
  rewriteCar(file: string, copy: string): Promise<CarRun>
}
