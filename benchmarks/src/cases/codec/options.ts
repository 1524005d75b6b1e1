import { given, readList, readWhole } from '../../read-flags.ts'
import { requireCodec, timedCodecs } from './codecs/index.ts'
import { families } from './families.ts'

export interface CodecOptions {
  /**
   * The least number of samples of a row, each of which is all values of a family
   */
  readonly iterations: number
  readonly minTimeMs: number
  readonly codecs: readonly string[]
  readonly families: readonly string[]
  /**
   * Values of a family
   */
  readonly values: number
  /**
   * Of the directory block that is looked up in
   */
  readonly entries: number
  /**
   * The least number of blocks and bytes of the CAR
   */
  readonly blocks: number
  readonly carBytes: number
  /**
   * Blocks of another CAR, every tenth of which has a string that is not UTF-8
   */
  readonly illFormed: number
  readonly seed: string
  readonly timeoutMs: number
}

export const defaults: CodecOptions = {
  iterations: 10,
  minTimeMs: 100,
  codecs: timedCodecs,
  families: families.map(({ name }) => name),
  values: 1_000,
  entries: 1_000,
  blocks: 500_000,
  carBytes: 0,
  illFormed: 10_000,
  seed: 'dagfs',
  timeoutMs: 120 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof CodecOptions | 'minTime' | 'timeout', unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): CodecOptions {
  const codecs = readList('codecs', flags.codecs) ?? defaults.codecs
  const names = readList('families', flags.families) ?? defaults.families
  const unknown = names.find(name => !defaults.families.includes(name))

  if (unknown != null) {
    throw new Error(`there is no family ${unknown}; there are ${defaults.families.join(', ')}`)
  }

  codecs.forEach(requireCodec)

  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    codecs,
    families: names,
    values: readWhole('values', flags.values ?? defaults.values, 1),
    entries: readWhole('entries', flags.entries ?? defaults.entries, 1),
    blocks: readWhole('blocks', flags.blocks ?? defaults.blocks, 1),
    carBytes: readWhole('car-bytes', flags.carBytes ?? defaults.carBytes, 0),
    illFormed: readWhole('ill-formed', flags.illFormed ?? defaults.illFormed, 1),
    seed: String(flags.seed ?? defaults.seed),
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}
