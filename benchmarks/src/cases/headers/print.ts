import { markdownTable } from '../../harness/markdown.ts'
import { comparisonColumns, countedColumns, publishedColumns, timeColumns } from './columns.ts'
import { byQuestion, contendersOf, operationsOf, placesOf } from './select.ts'
import { sizeOf, storeOf } from './words.ts'
import type { HeadersReport, HeadersRow } from './report.ts'

/**
 * Lays the report out in Markdown: how long each operation takes in each layout,
 * what it asks of its store, and what follows for the document's questions.
 */
export function printHeaders ({ rows, comparisons, published, options }: Pick<HeadersReport, 'rows' | 'comparisons' | 'published' | 'options'>): string {
  return [
    ...printTimes(rows),
    ...options.sizes.map(fileBytes => printCounted(rows, fileBytes)),
    `How many times as long it takes, by medians, with the interval of 95 %:\n\n${printComparisons(comparisons)}`,
    printPublished(published),
    ...sayProblems(rows)
  ].join('\n\n')
}

/**
 * How long each operation takes in each layout, a table for each size and store.
 */
export function printTimes (rows: readonly HeadersRow[]): string[] {
  return placesOf(rows).map(place => `Milliseconds of one operation, files of ${sizeOf(place.fileBytes)}, ${storeOf(place.store)}:\n\n${markdownTable(timeColumns(rows, place), contendersOf(rows))}`)
}

export function printPublished (published: HeadersReport['published']): string {
  return `Published for wnfs-go, not measured here:\n\n${markdownTable(publishedColumns(published), operationsOf(published))}`
}

/**
 * What each layout asks of its store; which store it is makes no difference.
 */
export function printCounted (rows: readonly HeadersRow[], fileBytes: number): string {
  const counted = rows.filter(row => row.fileBytes === fileBytes && row.counted != null)

  return `Blocks read + put by one operation, in brackets the bytes read + put, and those of them that are not the files', at ${sizeOf(fileBytes)}:\n\n${markdownTable(countedColumns(counted), contendersOf(counted))}`
}

export function printComparisons (comparisons: HeadersReport['comparisons']): string {
  return markdownTable(comparisonColumns({ comparisons }), byQuestion(comparisons))
}

/**
 * Who was not measured, or failed, and why
 */
export function sayProblems (rows: readonly HeadersRow[]): string[] {
  const lines = rows.filter(({ reason }) => reason != null).map(({ contender, operation, fileBytes, store, status, reason }) =>
    status === 'unavailable' ? `${contender}: ${reason}` : `${contender}, ${operation}, ${sizeOf(fileBytes)}, ${storeOf(store)}: ${reason}`)

  return [...new Set(lines)]
}
