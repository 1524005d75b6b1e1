import { details, markdownTable } from '../../harness/markdown.ts'
import { sayRun } from '../../report/say-run.ts'
import { sayCounts } from '../../report/spread.ts'
import { contenderColumns } from './columns.ts'
import { contenderOf } from './contenders/index.ts'
import { printComparisons, printCounted, printPublished, printTimes, sayProblems } from './print.ts'
import { sizeOf } from './words.ts'
import type { HeadersReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function headersSection (report: HeadersReport): string {
  const { rows, comparisons, options, published } = report
  const counts = options.sizes.map(size => ({ size, rounds: comparisons.filter(({ fileBytes }) => fileBytes === size).map(({ time }) => time.rounds) })).filter(({ rounds }) => rounds.length > 0)
  const [first] = options.sizes

  return [
    ...options.sizes.map(fileBytes => printCounted(rows, fileBytes)),
    `Who compares what it reads with CIDs, which costs a hash of every byte, and into what each cuts files:\n\n${markdownTable(contenderColumns, options.contenders.map(contenderOf))}`,
    `How many times as long it takes, by medians, with the interval of 95 %, and how many blocks and bytes more it reads and puts at ${sizeOf(first)}:`,
    printComparisons(comparisons),
    details('Milliseconds in each layout, and what was published', [...printTimes(rows), printPublished(published), ...sayProblems(rows)]),
    `${sayRun(report)} ${counts.map(({ size, rounds }) => `${sayCounts(rounds)} rounds of files of ${sizeOf(size)}`).join(', ')}, taken in turn. On disk is blockstore-fs, which does not sync.`
  ].join('\n\n')
}
