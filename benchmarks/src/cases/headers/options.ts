import { given, readList, readWhole } from '../../read-flags.ts'
import { contenderKeys, contenderOf } from './contenders/index.ts'
import { operationKeys, operationOf } from './operations/index.ts'

export const storeKeys = ['memory', 'disk'] as const
export type StoreKey = typeof storeKeys[number]

export interface HeadersOptions {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  readonly minTimeMs: number
  /**
   * Samples of a row of small files, as far as they come within four times `minTimeMs`
   */
  readonly smallSamples: number
  readonly contenders: readonly string[]
  readonly operations: readonly string[]
  /**
   * Bytes of a file, one run of everything for each
   */
  readonly sizes: readonly number[]
  readonly stores: readonly StoreKey[]
  readonly timeoutMs: number
}

/**
 * What dagfs would hold in a directory is not what is compared
 */
const LEAST_FILE_BYTES = 2_049

export const defaults: HeadersOptions = {
  iterations: 25,
  minTimeMs: 500,
  smallSamples: 200,
  contenders: contenderKeys,
  operations: operationKeys,
  // as it was really run, and what its name says
  sizes: [10 * 1024, 10 * 2 ** 20],
  stores: storeKeys,
  timeoutMs: 10 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof HeadersOptions | 'minTime' | 'timeout', unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): HeadersOptions {
  const contenders = readList('contenders', flags.contenders) ?? defaults.contenders
  const operations = readList('operations', flags.operations) ?? defaults.operations

  contenders.forEach(contenderOf)
  operations.forEach(operationOf)

  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    smallSamples: readWhole('small-samples', flags.smallSamples ?? defaults.smallSamples, 0),
    contenders,
    operations,
    sizes: (readList('sizes', flags.sizes) ?? defaults.sizes).map(size => readWhole('sizes', size, LEAST_FILE_BYTES)),
    stores: (readList('stores', flags.stores) ?? defaults.stores).map(readStore),
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}

function readStore (key: string): StoreKey {
  const store = storeKeys.find(candidate => candidate === key)

  if (store == null) {
    throw new Error(`there is no store ${key}; there are ${storeKeys.join(', ')}`)
  }

  return store
}
