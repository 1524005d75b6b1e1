import { TARGET_COLUMNS } from '../harness/target.ts'
import type { Column } from '../harness/markdown.ts'
import type { Target } from '../harness/target.ts'

/**
 * A target beside what names its case, and maybe links to it
 */
export interface JudgedTarget extends Target {
  readonly of: string
}

export const JUDGED_COLUMNS: ReadonlyArray<Column<JudgedTarget>> = [
  { title: 'case', align: 'left', cell: ({ of }) => of },
  ...TARGET_COLUMNS
]

/**
 * Says how many targets are kept, and which are not.
 */
export function sayKept (targets: readonly Target[]): string {
  const missed = targets.filter(({ kept }) => !kept)

  return missed.length === 0
    ? `All of the ${targets.length} targets are kept.`
    : `${targets.length - missed.length} of ${targets.length} targets are kept. Missed: ${missed.map(({ what }) => what).join('; ')}.`
}
