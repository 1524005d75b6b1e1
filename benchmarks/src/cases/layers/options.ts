import { given, readList, readWhole } from '../../read-flags.ts'
import { layerOf, layers } from './layers.ts'

export interface LayersOptions {
  /**
   * The least number of samples of a row, each of which is one scan of everything
   */
  readonly iterations: number
  readonly minTimeMs: number
  readonly layers: readonly string[]
  /**
   * Bytes that are read at once
   */
  readonly readSizes: readonly number[]
  /**
   * What the pack store holds at least
   */
  readonly bytes: number
  readonly seed: string
  readonly timeoutMs: number
}

const KIB = 1024

export const defaults: LayersOptions = {
  iterations: 3,
  minTimeMs: 1_000,
  layers: layers.map(({ key }) => key),
  readSizes: [1, 4, 16, 32, 64, 256, 1024].map(kib => kib * KIB),
  // as large as the file of the published figures
  bytes: 343_000_000,
  seed: 'dagfs',
  timeoutMs: 30 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof LayersOptions | 'minTime' | 'timeout', unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): LayersOptions {
  const keys = readList('layers', flags.layers) ?? defaults.layers
  const readSizes = readList('read-sizes', flags.readSizes)?.map(size => readWhole('read-sizes', size, 1)) ?? defaults.readSizes

  keys.forEach(layerOf)

  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    layers: keys,
    readSizes,
    bytes: readWhole('bytes', flags.bytes ?? defaults.bytes, 1),
    seed: String(flags.seed ?? defaults.seed),
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}
