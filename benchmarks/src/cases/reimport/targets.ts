import { figure } from '../../harness/markdown.ts'
import { atMost, difference, ratio } from '../../harness/target.ts'
import type { ReimportOptions } from './options.ts'
import type { ReimportRow } from './report.ts'
import type { Target } from '../../harness/target.ts'

const AGAIN_FACTOR = 2.5
const CHANGED_MS = 100
const MOST_CHANGED = 10
const REPEATED_FACTOR = 1
const LEAST_EQUAL_FILES = 1_000

/**
 * Holds the rows against the project's targets, by medians. Those for a change
 * are of ten files, and are judged for no more; that for files of equal content is of
 * a thousand, and is judged for no fewer.
 */
export function judgeTargets (rows: readonly ReimportRow[], { changed }: Pick<ReimportOptions, 'changed'>): Target[] {
  const of = (phase: string): ReimportRow | undefined => rows.find(row => row.phase === phase)
  const equal = rows.find(({ phase }) => phase === 'repeated')?.touched ?? 0
  const again = of('again')
  const more = changed > MOST_CHANGED ? undefined : difference(of('changed'), again)

  return [
    atMost('time to import what is unchanged, to that of a bare walk with lstat', AGAIN_FACTOR, ratio(again, of('walk')), 'x'),
    atMost(`time added where ${changed} files changed`, CHANGED_MS, more, 'ms'),
    atMost(`time to import ${figure(equal)} files with ten contents in all, to that of files of the same sizes that are all different`, REPEATED_FACTOR, equal < LEAST_EQUAL_FILES ? undefined : ratio(of('repeated'), of('unique')), 'x')
  ].filter(target => target != null)
}
