import { spreadOf } from '../../report/spread.ts'
import type { Phase } from './phases.ts'
import type { ReimportRow } from './report.ts'
import type { PhaseOutcome } from '../../harness/phases.ts'

/**
 * What became of a phase, as the report has it.
 */
export function rowOf ({ key, what, touched, durable }: Pick<Phase, 'key' | 'what' | 'touched' | 'durable'>, outcome: PhaseOutcome): ReimportRow {
  const row = { case: 'reimport' as const, phase: key, what, touched, durable }

  if ('reason' in outcome) {
    return { ...row, samples: 0, rawMs: [], p50: null, status: 'failed', reason: outcome.reason }
  }

  const { rawMs } = outcome

  return { ...row, samples: rawMs.length, rawMs, p50: rawMs.length === 0 ? null : spreadOf(rawMs).median, status: 'ok', reason: null }
}
