import { P99_SAMPLES } from '../../harness/statistics.ts'
import { sayRun } from '../../report/say-run.ts'
import { printEdits } from './print.ts'
import type { EditsReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function editsSection (report: EditsReport): string {
  return `${printEdits(report)}\n\n${sayRun(report)} Everything is in memory. \\* rests on fewer than ${P99_SAMPLES} runs.`
}
