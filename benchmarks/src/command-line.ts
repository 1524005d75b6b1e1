import { contenderKeys, contenderOf } from './contenders/index.ts'
import { defaultCorpusNames } from './corpora/default-corpora.ts'
import type { AddDirOptions } from './cases/add-dir/index.ts'

export const defaults: AddDirOptions = {
  iterations: 5,
  minTimeMs: 1000,
  testPaths: [],
  contenders: contenderKeys,
  optional: [],
  corpora: defaultCorpusNames,
  unique: false,
  noLinks: false,
  timeoutMs: 60 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export interface Flags {
  readonly iterations?: unknown
  readonly minTime?: unknown
  readonly testPath?: string | number | ReadonlyArray<string | number>
  readonly contenders?: unknown
  readonly optional?: unknown
  readonly corpora?: unknown
  readonly unique?: boolean
  readonly withoutLinks?: boolean
  readonly timeout?: unknown
  readonly json?: string
}

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): AddDirOptions {
  const contenders = list(flags.contenders) ?? defaults.contenders
  const optional = list(flags.optional) ?? defaults.optional
  const corpora = list(flags.corpora) ?? defaults.corpora
  const unknownCorpus = corpora.find(name => !defaultCorpusNames.includes(name))

  for (const key of [...contenders, ...optional]) {
    contenderOf(key)
  }

  if (unknownCorpus != null) {
    throw new Error(`there is no corpus ${unknownCorpus}; there are ${defaultCorpusNames.join(', ')}`)
  }

  return {
    iterations: number('iterations', flags.iterations ?? env.ITERATIONS, 1) ?? defaults.iterations,
    minTimeMs: number('min-time', flags.minTime ?? env.MIN_TIME, 0) ?? defaults.minTimeMs,
    testPaths: paths(flags.testPath ?? env.TEST_PATH),
    contenders,
    optional,
    corpora,
    unique: flags.unique ?? defaults.unique,
    noLinks: flags.withoutLinks ?? defaults.noLinks,
    timeoutMs: (number('timeout', flags.timeout, 1) ?? defaults.timeoutMs / 60_000) * 60_000
  }
}

function number (name: string, value: unknown, least: number): number | undefined {
  if (value == null || value === '') {
    return undefined
  }

  const result = Number(value)

  if (!Number.isSafeInteger(result) || result < least) {
    throw new Error(`${name} must be a whole number, at least ${least}, and is ${String(value)}`)
  }

  return result
}

function list (value: unknown): string[] | undefined {
  return value == null ? undefined : [...new Set(String(value).split(',').map(item => item.trim()).filter(item => item !== ''))]
}

function paths (value: Flags['testPath'] | string): string[] {
  if (value == null || value === '') {
    return []
  }

  return (Array.isArray(value) ? value : [value]).map(String)
}
