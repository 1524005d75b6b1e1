import { ratioInterval } from '../../harness/ratio-interval.ts'
import type { Comparison, HeadersRow } from './report.ts'

/**
 * What the document asked, and what follows for us: each changes one thing, but
 * for the last one, which is another filesystem too
 */
export const QUESTIONS = [
  { question: 'dag-cbor in place of dag-pb', contender: 'headers-cbor', base: 'headers-pb' },
  { question: 'metadata in the headers in place of blocks of its own', contender: 'headers-inlined', base: 'headers-cbor' },
  { question: 'both steps', contender: 'headers-inlined', base: 'headers-pb' },
  { question: 'dagfs in place of headers with metadata in blocks of its own', contender: 'dagfs', base: 'headers-cbor' }
] as const

/**
 * Answers every question whose two rows were measured.
 */
export function compareRows (rows: readonly HeadersRow[]): Comparison[] {
  const measured = rows.filter(({ status }) => status === 'ok')

  return QUESTIONS.flatMap(({ question, contender, base }) => measured
    .filter(row => row.contender === contender)
    .flatMap(row => {
      const other = measured.find(candidate => candidate.contender === base && isSameWork(candidate, row))

      return other == null ? [] : [compare(question, row, other)]
    }))
}

function isSameWork (a: HeadersRow, b: HeadersRow): boolean {
  return a.operation === b.operation && a.fileBytes === b.fileBytes && a.store === b.store
}

function compare (question: string, row: HeadersRow, base: HeadersRow): Comparison {
  const { contender, operation, fileBytes, store } = row

  return {
    question,
    contender,
    base: base.contender,
    operation,
    fileBytes,
    store,
    time: ratioInterval(row, base),
    blocks: blocksOf(row) - blocksOf(base),
    bytes: bytesOf(row) - bytesOf(base)
  }
}

function blocksOf ({ counted }: HeadersRow): number {
  return counted == null ? NaN : counted.blocksRead + counted.blocksPut
}

function bytesOf ({ counted }: HeadersRow): number {
  return counted == null ? NaN : counted.bytesRead + counted.bytesPut
}
