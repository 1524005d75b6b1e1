import { given, readWhole } from '../../read-flags.ts'

export interface LargeFileOptions {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  readonly bytes: number
}

// what is written takes about twice as long where the host of a virtual machine has to provide memory first, which is so in two samples of five
export const defaults: LargeFileOptions = { iterations: 25, bytes: 595 * 2 ** 20 }

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof LargeFileOptions, unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): LargeFileOptions {
  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    // at least what is more than one piece of anybody
    bytes: readWhole('bytes', flags.bytes ?? defaults.bytes, 2 ** 20)
  }
}
