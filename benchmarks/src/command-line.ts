import { contenderKeys, contenderOf } from './contenders/index.ts'
import { defaultCorpusNames } from './corpora/default-corpora.ts'
import { given, readList, readWhole } from './read-flags.ts'
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
  const contenders = readList('contenders', flags.contenders) ?? defaults.contenders
  const optional = readList('optional', flags.optional) ?? defaults.optional
  const corpora = readList('corpora', flags.corpora) ?? defaults.corpora
  const unknownCorpus = corpora.find(name => !defaultCorpusNames.includes(name))

  for (const key of [...contenders, ...optional]) {
    contenderOf(key)
  }

  if (unknownCorpus != null) {
    throw new Error(`there is no corpus ${unknownCorpus}; there are ${defaultCorpusNames.join(', ')}`)
  }

  return {
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    testPaths: paths(flags.testPath ?? env.TEST_PATH),
    contenders,
    optional,
    corpora,
    unique: flags.unique ?? defaults.unique,
    noLinks: flags.withoutLinks ?? defaults.noLinks,
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}

function paths (value: Flags['testPath'] | string): string[] {
  if (value == null || value === '') {
    return []
  }

  return (Array.isArray(value) ? value : [value]).map(String)
}
