import type { ReimportOptions } from './options.ts'
import type { ReimportRow } from './report.ts'

/**
 * What a figure has to be, and whether it is
 */
export interface Target {
  readonly what: string
  readonly limit: number
  readonly unit: string
  readonly value: number
  readonly kept: boolean
}

const AGAIN_FACTOR = 2.5
const CHANGED_MS = 100

/**
 * Holds the rows against the project's targets, by medians. Those for a change
 * are of ten files, and are judged for no more.
 */
export function judgeTargets (rows: readonly ReimportRow[], { changed }: Pick<ReimportOptions, 'changed'>): Target[] {
  const ms = (phase: string): number | null => rows.find(row => row.phase === phase)?.p50 ?? null
  const [walk, again, change] = [ms('walk'), ms('again'), ms('changed')]
  const targets: Target[] = []

  if (walk != null && again != null) {
    targets.push(atMost('import of what is unchanged, to a bare walk with lstat', AGAIN_FACTOR, 'x', again / walk))
  }

  if (again != null && change != null && changed <= 10) {
    targets.push(atMost(`more than that where ${changed} files changed`, CHANGED_MS, 'ms', change - again))
  }

  return targets
}

function atMost (what: string, limit: number, unit: string, value: number): Target {
  return { what, limit, unit, value, kept: value <= limit }
}
