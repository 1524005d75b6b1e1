import { QUESTIONS } from './compare.ts'
import { operationKeys } from './operations/index.ts'
import type { StoreKey } from './options.ts'
import type { Comparison, HeadersRow } from './report.ts'

/**
 * One size of files in one kind of store
 */
export interface Place {
  readonly fileBytes: number
  readonly store: StoreKey
}

/**
 * One question about one operation
 */
export interface Asked {
  readonly question: string
  readonly operation: string
}

export function placesOf (rows: readonly Place[]): Place[] {
  return [...new Map(rows.map(({ fileBytes, store }) => [`${fileBytes} ${store}`, { fileBytes, store }])).values()]
}

export function operationsOf (rows: ReadonlyArray<{ readonly operation: string }>): string[] {
  return operationKeys.filter(key => rows.some(({ operation }) => operation === key))
}

/**
 * One row of each contender, for what is the same in all of them
 */
export function contendersOf (rows: readonly HeadersRow[]): HeadersRow[] {
  return [...new Map(rows.map(row => [row.contender, row])).values()]
}

/**
 * What was answered, in the order of the questions
 */
export function byQuestion (comparisons: readonly Comparison[]): Asked[] {
  return QUESTIONS
    .flatMap(({ question }) => operationsOf(comparisons).map(operation => ({ question, operation })))
    .filter(asked => comparisons.some(answer => isAnswer(answer, asked)))
}

export function isAnswer (answer: Comparison, { question, operation }: Asked): boolean {
  return answer.question === question && answer.operation === operation
}
