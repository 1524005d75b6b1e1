import { given, readList, readWhole } from '../../read-flags.ts'
import { editorKeys, editorOf } from './editors/index.ts'
import { workloadKeys, workloadOf } from './workloads/index.ts'
import type { EditSizes } from './sizes.ts'

export interface EditsOptions extends EditSizes {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  readonly minTimeMs: number
  readonly contenders: readonly string[]
  readonly workloads: readonly string[]
  readonly timeoutMs: number
}

export const defaults: EditsOptions = {
  writes: 2_000,
  reads: 1_000,
  contentBytes: 100,
  fewer: 10_000,
  more: 100_000,
  fileBytes: 2 ** 30,
  treeFiles: 100_000,
  differing: 10,
  iterations: 5,
  minTimeMs: 1_000,
  contenders: editorKeys,
  workloads: workloadKeys,
  timeoutMs: 30 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof EditsOptions | 'minTime' | 'timeout', unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): EditsOptions {
  const contenders = readList('contenders', flags.contenders) ?? defaults.contenders
  const workloads = readList('workloads', flags.workloads) ?? defaults.workloads

  contenders.forEach(editorOf)
  workloads.forEach(workloadOf)

  return {
    writes: readWhole('writes', flags.writes ?? defaults.writes, 1),
    reads: readWhole('reads', flags.reads ?? defaults.reads, 1),
    contentBytes: readWhole('content-bytes', flags.contentBytes ?? defaults.contentBytes, 20),
    fewer: readWhole('fewer', flags.fewer ?? defaults.fewer, 1),
    more: readWhole('more', flags.more ?? defaults.more, 1),
    fileBytes: readWhole('file-bytes', flags.fileBytes ?? defaults.fileBytes, 8_192),
    treeFiles: readWhole('tree-files', flags.treeFiles ?? defaults.treeFiles, 20),
    differing: readWhole('differing', flags.differing ?? defaults.differing, 3),
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    contenders,
    workloads,
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}
