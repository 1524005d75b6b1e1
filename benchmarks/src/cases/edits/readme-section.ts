import { sayMachine } from '../../harness/machine.ts'
import { P99_SAMPLES } from '../../harness/statistics.ts'
import { printEdits } from './print.ts'
import type { EditsReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function editsSection (report: EditsReport): string {
  return `${printEdits(report)}\n\n${sayMachine(report.machine)} Everything is in memory. \\* rests on fewer than ${P99_SAMPLES} runs.`
}
