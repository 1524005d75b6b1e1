import { contenderOf } from '../../contenders/index.ts'
import { given, readList, readWhole } from '../../read-flags.ts'

export interface GrowthOptions {
  /**
   * The sizes of the trees, in files
   */
  readonly files: readonly number[]
  /**
   * Of a file, on average
   */
  readonly fileBytes: number
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  readonly minTimeMs: number
  readonly contenders: readonly string[]
  /**
   * Contenders whose absence is no fault
   */
  readonly optional: readonly string[]
  readonly timeoutMs: number
}

export const defaults: GrowthOptions = {
  files: [1_000, 3_000, 10_000, 30_000, 100_000],
  fileBytes: 1_024,
  iterations: 5,
  minTimeMs: 1_000,
  contenders: ['dagfs-mem', 'dagfs-pack', 'helia-mem', 'kubo-direct'],
  optional: [],
  timeoutMs: 30 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof GrowthOptions | 'minTime' | 'timeout', unknown>>>

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): GrowthOptions {
  const contenders = readList('contenders', flags.contenders) ?? defaults.contenders
  const optional = readList('optional', flags.optional) ?? defaults.optional

  for (const key of [...contenders, ...optional]) {
    contenderOf(key)
  }

  return {
    files: readList('files', flags.files)?.map(files => readWhole('files', files, 10)).sort((a, b) => a - b) ?? defaults.files,
    fileBytes: readWhole('file-bytes', flags.fileBytes ?? defaults.fileBytes, 1),
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    contenders,
    optional,
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}
