import { sayRun } from '../../report/say-run.ts'
import { printComparisons, printCounted } from './print.ts'
import { sizeOf } from './words.ts'
import type { HeadersReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function headersSection (report: HeadersReport): string {
  const { rows, comparisons, options } = report
  const [fileBytes] = options.sizes
  const samples = Math.min(...comparisons.map(({ time }) => time.rounds))

  return [
    printCounted(rows, fileBytes),
    `How many times as long it takes, by medians, with the interval of 95 %, and how many blocks and bytes more it reads and puts at ${sizeOf(fileBytes)}:`,
    printComparisons(comparisons),
    `${sayRun(report)} At least ${samples} samples of each, taken in turn. On disk is blockstore-fs, which does not sync.`
  ].join('\n\n')
}
