import { sayRun } from '../../report/say-run.ts'
import { printLayers } from './print.ts'
import type { LayersReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function layersSection (report: LayersReport): string {
  return `${printLayers(report)}\n\n${sayRun(report)} Medians; the files are in the system's cache.`
}
