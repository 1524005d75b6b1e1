import { failedRows } from '../../harness/failed-rows.ts'
import { figure } from '../../harness/markdown.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { comparisonColumns, contenderColumns, countedColumns, publishedColumns, timeColumns } from './columns.ts'
import { contenderOf } from './contenders/index.ts'
import { operationOf } from './operations/index.ts'
import { byQuestion, contendersOf, operationsOf, placesOf } from './select.ts'
import { sizeOf, storeOf } from './words.ts'
import type { Comparison, HeadersReport, HeadersRow } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'

/**
 * The operation that moves ten files, which would dwarf the others
 */
const LARGE = 'cp'

const COUNTED = 'Blocks read + put; in brackets bytes read + put, and those of them that are not the files’'

/**
 * Those that make the same blocks of a file
 */
const SAME_FILES: readonly string[] = ['headers-pb', 'headers-cbor', 'headers-inlined', 'dagfs']

/**
 * What the page shows of the case: what each layout asks of its store, and what
 * that means for its times.
 */
export function sections (report: HeadersReport): Section[] {
  const { rows, comparisons, options } = report
  const places = placesOf(rows)
  // every store is asked for the same
  const countedAt = (fileBytes: number): HeadersRow[] => rows.filter(row => row.counted != null && row.fileBytes === fileBytes && row.store === options.stores[0])

  return [{
    title: 'Headers: where metadata lives',
    shows: 'One file is read, written over, and ten are copied in, in trees that differ in where they keep what they record of a file beside its bytes: in a block of its own, in a header block that stands for the file, or in the directory.',
    conditions: [
      ['stores', 'in memory: MemoryBlockstore; on disk: blockstore-fs'],
      ['options', `at least ${options.iterations} samples of each, and ${options.minTimeMs} ms, taken in turn${options.smallSamples > 0 ? `; of files below 1 MiB up to ${options.smallSamples}` : ''}; times are medians`],
      ['durability', 'Nothing is synced to the disk by anybody.'],
      ['versions', [...new Set(rows.map(({ version }) => version).filter(version => version != null))].join(', ')],
      ...options.contenders.map(key => [key, contenderOf(key).layout] as const),
      ...operationsOf(rows).map(key => [key, operationOf(key).describe] as const)
    ],
    charts: [
      ...options.sizes.flatMap((fileBytes, index) => {
        const counted = countedAt(fileBytes)

        return [
          blocksChart(counted.filter(({ operation }) => operation !== LARGE), `Blocks for one file of ${sizeOf(fileBytes)}`, index === 0 ? 'headers-blocks' : undefined),
          blocksChart(counted.filter(({ operation }) => operation === LARGE), `Blocks for ten directories of one file each, of ${sizeOf(fileBytes)}`),
          bytesChart(counted, fileBytes)
        ]
      }),
      ...options.sizes.map(size => ratioChart(comparisons, size))
    ].filter(chart => chart.table.rows.length > 0),
    tables: [
      reportTable('Who compares blocks with their CIDs, and into what each cuts files', contenderColumns, options.contenders.map(contenderOf)),
      ...places.map(place => reportTable(`Milliseconds of one operation, files of ${sizeOf(place.fileBytes)}, ${storeOf(place.store)}`, timeColumns(rows, place), contendersOf(rows))),
      reportTable('How many times as long it takes, with the interval of 95 %', comparisonColumns(report), byQuestion(comparisons)),
      reportTable('Published for wnfs-go, not measured here', publishedColumns(report.published), operationsOf(report.published))
    ],
    notes: [
      'headers-pb, headers-cbor and headers-inlined are one implementation of the layout of WNFS v1, in which only the codec or the place of metadata is another one. They share the code that stores the bytes of files with dagfs.',
      'The published figures are of files of 10 KiB, whatever the names of their benchmarks say; the document that has them bears no date.'
    ],
    unavailable: [
      ...new Map(rows.filter(({ status }) => status === 'unavailable').map(({ contender, reason }) => [contender, { what: contender, reason: reason ?? '' }])).values(),
      ...failedRows(rows, ({ contender, operation, fileBytes, store }) => [contender, operation, sizeOf(fileBytes), storeOf(store)])
    ]
  }]
}

function blocksChart (shown: readonly HeadersRow[], title: string, picture?: string): Chart {
  const isOne = operationsOf(shown).length === 1

  return {
    title,
    caption: 'How many blocks one operation reads and puts; shorter is better. Each block is a look-up in the store, and over a network a message.',
    basis: `Counted over one run with files of ${saySizes(shown)}; it is the same in every run and store.`,
    spec: bars(shown.map(row => ({
      name: isOne ? row.contender : row.operation,
      series: isOne ? 'blocks' : row.contender,
      value: row.counted == null ? 0 : row.counted.blocksRead + row.counted.blocksPut
    })), { title: 'blocks read and put, fewer is better' }),
    table: reportTable(COUNTED, countedColumns(shown), contendersOf(shown)),
    ...picture == null ? {} : { picture }
  }
}

function bytesChart (rows: readonly HeadersRow[], fileBytes: number): Chart {
  const shown = rows.filter(({ operation, contender }) => operation !== LARGE && SAME_FILES.includes(contender))

  return {
    title: `Bytes beside the file’s own, files of ${sizeOf(fileBytes)}`,
    caption: 'How many bytes one operation reads and puts that are not the file’s: directories, headers and metadata; shorter is better.',
    basis: `Counted over one run with files of ${saySizes(shown)}. Helia and wnfs, which store or read files in their own way, are in the table of blocks.`,
    spec: bars(shown.map(row => ({
      name: row.operation,
      series: row.contender,
      value: row.counted == null ? 0 : row.counted.bytesRead + row.counted.bytesPut - row.fileBytes
    })), { title: 'bytes read and put, fewer is better', unit: 'B' }),
    table: reportTable(COUNTED, countedColumns(shown), contendersOf(shown))
  }
}

function ratioChart (comparisons: readonly Comparison[], fileBytes: number): Chart {
  const shown = comparisons.filter(comparison => comparison.fileBytes === fileBytes && comparison.base === 'headers-cbor')

  return {
    title: `Time, files of ${sizeOf(fileBytes)}`,
    caption: 'How many times as long an operation takes as with dag-cbor headers and metadata in blocks of its own; shorter is better, and at 1 nothing is gained. Where the thin line crosses 1, these samples show no difference.',
    basis: `Ratios of medians over ${figure(Math.min(...shown.map(({ time }) => time.rounds)))} rounds or more; the thin line is the interval of 95 % of a bootstrap over rounds. Nothing is synced.`,
    spec: bars(shown.map(({ operation, store, contender, time }) => ({
      // names take their width from the bars
      name: `${operation}, ${store}`, series: contender, value: time.ratio, low: time.low, high: time.high
    })), { title: 'times as long as headers-cbor', unit: 'x' }),
    table: reportTable('How many times as long it takes', comparisonColumns({ comparisons: shown }), byQuestion(shown))
  }
}

function saySizes (rows: readonly HeadersRow[]): string {
  return [...new Set(rows.map(({ fileBytes }) => sizeOf(fileBytes)))].join(', ')
}
