import { given, readWhole } from '../../read-flags.ts'

export interface ReimportOptions {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  /**
   * The directory that is imported, of which a copy is changed; null for a
   * generated one
   */
  readonly testPath: string | null
  /**
   * Files of the generated directory, and their bytes together
   */
  readonly files: number
  readonly bytes: number
  /**
   * Files that change before `changed`
   */
  readonly changed: number
  /**
   * Files of each of the two trees of which one has ten contents in all
   */
  readonly equalFiles: number
}

export const defaults: ReimportOptions = {
  iterations: 5,
  testPath: null,
  files: 20_000,
  bytes: 100_000_000,
  changed: 10,
  equalFiles: 1_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof ReimportOptions, unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): ReimportOptions {
  const testPath = flags.testPath ?? given(env.TEST_PATH)

  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    testPath: testPath == null ? null : String(testPath),
    files: readWhole('files', flags.files ?? defaults.files, 1),
    bytes: readWhole('bytes', flags.bytes ?? defaults.bytes, 1),
    changed: readWhole('changed', flags.changed ?? defaults.changed, 1),
    equalFiles: readWhole('equal-files', flags.equalFiles ?? defaults.equalFiles, 1)
  }
}
