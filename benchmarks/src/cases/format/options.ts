import { readList, readWhole } from '../../read-flags.ts'
import { targetKeys } from './import-target.ts'
import type { TargetKey } from './import-target.ts'

export interface FormatOptions {
  /**
   * Sizes of the directories whose boundaries are measured
   */
  readonly entries: readonly number[]
  /**
   * Size of the one with inlined content; 0 leaves it out
   */
  readonly inlined: number
  readonly inserts: number
  readonly nameSets: number
  readonly limits: readonly number[]
  readonly edits: number
  /**
   * Imports of each limit into each store
   */
  readonly iterations: number
  readonly stores: readonly TargetKey[]
  /**
   * What is imported; a generated tree where it is left out
   */
  readonly testPath?: string
  readonly seed: string
}

export const defaults: FormatOptions = {
  entries: [1_000, 10_000, 100_000, 1_000_000],
  inlined: 1_000_000,
  inserts: 1_000,
  nameSets: 100,
  limits: [0, 512, 2_048, 4_096, 16_384],
  edits: 200,
  iterations: 3,
  stores: targetKeys,
  seed: 'dagfs/format/1'
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export interface Flags {
  readonly entries?: unknown
  readonly inlined?: unknown
  readonly inserts?: unknown
  readonly nameSets?: unknown
  readonly limits?: unknown
  readonly edits?: unknown
  readonly iterations?: unknown
  readonly stores?: unknown
  readonly testPath?: unknown
  readonly seed?: unknown
  readonly json?: string
}

/**
 * Reads flags first, then TEST_PATH, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): FormatOptions {
  const testPath = flags.testPath ?? env.TEST_PATH

  return {
    entries: readList('entries', flags.entries)?.map(value => readWhole('entries', value, 1)) ?? defaults.entries,
    inlined: readWhole('inlined', flags.inlined ?? defaults.inlined, 0),
    inserts: readWhole('inserts', flags.inserts ?? defaults.inserts, 1),
    nameSets: readWhole('name-sets', flags.nameSets ?? defaults.nameSets, 1),
    limits: readList('limits', flags.limits)?.map(value => readWhole('limits', value, 0)) ?? defaults.limits,
    edits: readWhole('edits', flags.edits ?? defaults.edits, 1),
    iterations: readWhole('iterations', flags.iterations ?? defaults.iterations, 1),
    stores: readList('stores', flags.stores)?.map(storeKey) ?? defaults.stores,
    ...(testPath == null || testPath === '' ? {} : { testPath: String(testPath) }),
    seed: String(flags.seed ?? defaults.seed)
  }
}

function storeKey (value: string): TargetKey {
  const key = targetKeys.find(known => known === value)

  if (key == null) {
    throw new Error(`there is no store ${value}; there are ${targetKeys.join(', ')}`)
  }

  return key
}
