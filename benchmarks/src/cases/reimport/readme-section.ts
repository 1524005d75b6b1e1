import { sayRun } from '../../report/say-run.ts'
import { printReimport } from './print.ts'
import type { ReimportReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function reimportSection (report: ReimportReport): string {
  return `${printReimport(report)}\n\n${sayRun(report)} Medians. Imports are synced, exports and cp are not; the directory is in the system's cache.`
}
