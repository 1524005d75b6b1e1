import { figure } from '../../harness/markdown.ts'
import { operationOf } from './operations/index.ts'
import { isAnswer, operationsOf, placesOf } from './select.ts'
import { sizeOf, storeOf } from './words.ts'
import type { HeadersContender } from './contenders/index.ts'
import type { Published } from './published.ts'
import type { Comparison, HeadersReport, HeadersRow } from './report.ts'
import type { Asked, Place } from './select.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * How long each operation takes, a row for each contender
 */
export function timeColumns (rows: readonly HeadersRow[], place: Place): Array<Column<HeadersRow>> {
  const here = rows.filter(row => row.fileBytes === place.fileBytes && row.store === place.store)

  return [
    { title: 'Implementation', align: 'left', cell: ({ contender }) => contender },
    { title: 'layout', align: 'left', cell: ({ layout }) => layout },
    ...operationsOf(here).map((operation): Column<HeadersRow> => ({
      title: operation,
      cell: ({ contender }) => sayTime(here.find(row => row.contender === contender && row.operation === operation))
    })),
    { title: 'samples', cell: ({ contender }) => figure(Math.min(...here.filter(row => row.contender === contender).map(({ samples }) => samples))) }
  ]
}

/**
 * What has to be known of each contender to compare it
 */
export const contenderColumns: ReadonlyArray<Column<HeadersContender>> = [
  { title: 'Implementation', align: 'left', cell: ({ key }) => key },
  { title: 'compares what it reads with CIDs', align: 'left', cell: ({ verifies }) => verifies ? 'yes' : 'no' },
  { title: 'chunks of a file', cell: ({ chunkBytes }) => sizeOf(chunkBytes) }
]

/**
 * What each operation asks of the store, a row for each contender
 */
export function countedColumns (rows: readonly HeadersRow[]): Array<Column<HeadersRow>> {
  return [
    { title: 'Implementation', align: 'left', cell: ({ contender }) => contender },
    ...operationsOf(rows).map((operation): Column<HeadersRow> => ({
      title: operation,
      cell: ({ contender }) => sayCounted(rows.find(row => row.contender === contender && row.operation === operation))
    }))
  ]
}

/**
 * The answers side by side for each size and store, a row for each question and
 * operation
 */
export function comparisonColumns ({ comparisons }: Pick<HeadersReport, 'comparisons'>): Array<Column<Asked>> {
  const find = (asked: Asked, place?: Place): Comparison | undefined => comparisons
    .find(answer => isAnswer(answer, asked) && (place == null || (answer.fileBytes === place.fileBytes && answer.store === place.store)))

  return [
    { title: 'what', align: 'left', cell: ({ question }) => question },
    { title: 'operation', align: 'left', cell: ({ operation }) => operation },
    { title: 'blocks', cell: asked => sayDifference(find(asked)?.blocks) },
    { title: 'bytes', cell: asked => sayDifference(find(asked)?.bytes) },
    ...placesOf(comparisons).map((place): Column<Asked> => ({
      title: `${sizeOf(place.fileBytes)}, ${storeOf(place.store)}`,
      cell: asked => sayRatio(find(asked, place))
    }))
  ]
}

/**
 * The document's figures, a row for each operation
 */
export function publishedColumns (published: readonly Published[]): Array<Column<string>> {
  const nsOf = (operation: string, layout: Published['layout']): number => published.find(figures => figures.operation === operation && figures.layout === layout)?.nsPerOp ?? NaN
  const micro = (layout: Published['layout']): Column<string>['cell'] => operation => figure(nsOf(operation, layout) / 1000, 1)
  const ratio = (layout: Published['layout'], base: Published['layout']): Column<string>['cell'] => operation => figure(nsOf(operation, layout) / nsOf(operation, base), 2)

  return [
    { title: 'operation', align: 'left', cell: operation => operation },
    { title: 'its name there', align: 'left', cell: operation => operationOf(operation).benchmark },
    { title: 'dag-pb, µs', cell: micro('dag-pb') },
    { title: 'dag-cbor, µs', cell: micro('dag-cbor') },
    { title: 'inlined, µs', cell: micro('dag-cbor, metadata inlined') },
    { title: 'dag-cbor to dag-pb', cell: ratio('dag-cbor', 'dag-pb') },
    { title: 'inlined to dag-cbor', cell: ratio('dag-cbor, metadata inlined', 'dag-cbor') },
    { title: 'inlined to dag-pb', cell: ratio('dag-cbor, metadata inlined', 'dag-pb') }
  ]
}

function sayTime (row: HeadersRow | undefined): string {
  return row?.p50 == null ? row?.status ?? '' : figure(row.p50 / row.operations, 3)
}

function sayCounted (row: HeadersRow | undefined): string {
  if (row?.counted == null) {
    return ''
  }

  const { blocksRead, bytesRead, blocksPut, bytesPut } = row.counted
  const content = row.fileBytes * operationOf(row.operation).files

  return `${figure(blocksRead)} + ${figure(blocksPut)} (${figure(bytesRead)} + ${figure(bytesPut)}; ${figure(bytesRead + bytesPut - content)})`
}

function sayDifference (value: number | undefined): string {
  return value == null ? '' : `${value > 0 ? '+' : ''}${figure(value)}`
}

function sayRatio (comparison: Comparison | undefined): string {
  if (comparison == null) {
    return ''
  }

  const { ratio, low, high } = comparison.time

  return `${figure(ratio, 2)} (${figure(low, 2)}–${figure(high, 2)})`
}
