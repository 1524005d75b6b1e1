import { figure, kib, markdownTable, megabytes } from '../../harness/markdown.ts'
import { medianMs } from './import-times.ts'
import type { BoundaryRow } from './boundary-row.ts'
import type { TargetKey } from './import-target.ts'
import type { ImportTimes } from './import-times.ts'
import type { InlineLimitRow } from './inline-limit.ts'
import type { ListingRow } from './listing.ts'
import type { FormatReport } from './report.ts'
import type { Spread } from './spread.ts'
import type { Column } from '../../harness/markdown.ts'

const STORES: Readonly<Record<TargetKey, string>> = { memory: 'memory', fs: 'blockstore-fs', idb: 'IndexedDB' }

/**
 * Build times are given as ratios to a directory of this size
 */
const COMPARED_ENTRIES = 10_000

/**
 * Lays the report out in Markdown.
 */
export function printReport (report: FormatReport): string {
  const { boundaries, corpus, imports, inlineLimits, listings, machine, options } = report

  return [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`,
    `Boundaries: entries of 91 bytes (a raw link, mode and mtime), or with inlined content of up to 4 KiB; ${figure(options.inserts)} single inserts for each row, KiB written are mean / p99 / max.`,
    markdownTable(boundaryColumns(boundaries), boundaries),
    `\`ls\` with all metadata, names of 17 bytes and raw links, ${figure(options.nameSets)} sets of names for each row:`,
    markdownTable(LISTING_COLUMNS, listings),
    `Inline limit: ${figure(corpus.files)} files, ${figure(corpus.directories)} directories, ${figure(corpus.links)} links, ${megabytes(corpus.bytes)} MB; an edit is the mean of ${figure(options.edits)}, an import the median of ${figure(options.iterations)}, not synced.`,
    markdownTable(limitColumns(imports), inlineLimits),
    ...imports.flatMap(times => times.status === 'unavailable' ? [`${STORES[times.store]}: unavailable, ${times.reason}`] : [])
  ].join('\n\n')
}

function boundaryColumns (rows: readonly BoundaryRow[]): Array<Column<BoundaryRow>> {
  const compared = rows.find(({ content, entries }) => content === 'linked' && entries === COMPARED_ENTRIES)?.usPerEntry

  return [
    { title: 'entries', cell: row => figure(row.entries) },
    { title: 'content', align: 'left', cell: row => row.content },
    { title: 'rule', align: 'left', cell: row => row.rule },
    { title: 'blocks per level', cell: row => row.blocksPerLevel.map(blocks => figure(blocks)).join(' / ') },
    { title: 'leaf KiB, mean / p99 / max', cell: row => kibSpread(row.leafBytes) },
    { title: 'insert, blocks mean / max', cell: row => `${figure(row.inserts.blocks.mean, 2)} / ${figure(row.inserts.blocks.max)}` },
    { title: 'insert, KiB', cell: row => kibSpread(row.inserts.bytes) },
    { title: 'build, µs per entry', cell: row => row.usPerEntry == null ? '' : `${figure(row.usPerEntry, 2)} (${row.buildMs.length} builds)` },
    { title: 'to 10,000', cell: row => row.content !== 'linked' || row.usPerEntry == null || compared == null ? '' : figure(row.usPerEntry / compared, 2) }
  ]
}

const LISTING_COLUMNS: ReadonlyArray<Column<ListingRow>> = [
  { title: 'files', cell: row => figure(row.files) },
  { title: 'recorded', align: 'left', cell: row => row.recorded },
  { title: 'blocks, median', cell: row => figure(row.blocks.median, 1) },
  { title: 'p90', cell: row => figure(row.blocks.p90, 1) },
  { title: 'max', cell: row => figure(row.blocks.max) },
  { title: 'at most 12', cell: row => `${figure(row.within * 100)} %` },
  { title: 'round trips, median', cell: row => figure(row.roundTrips.median, 1) },
  { title: 'max', cell: row => figure(row.roundTrips.max) }
]

function limitColumns (imports: readonly ImportTimes[]): Array<Column<InlineLimitRow>> {
  return [
    { title: 'limit', cell: row => figure(row.inlineBytes) },
    { title: 'blocks', cell: row => figure(row.blocks) },
    { title: 'MB', cell: row => megabytes(row.bytes) },
    { title: 'directory MB', cell: row => megabytes(row.directoryBytes) },
    { title: 'mean directory block, bytes', cell: row => figure(row.meanDirectoryBlockBytes) },
    { title: 'one-file edit, KiB', cell: row => kib(row.editBytes) },
    { title: 'of it directories', cell: row => kib(row.editDirectoryBytes) },
    { title: 'duplicates inlined, MB', cell: row => megabytes(row.duplicateBytes) },
    ...imports.map(times => ({ title: `import, s: ${STORES[times.store]}`, cell: (row: InlineLimitRow) => importCell(times, row) }))
  ]
}

function importCell (times: ImportTimes, { inlineBytes }: InlineLimitRow): string {
  const ms = medianMs(times, inlineBytes)

  return ms == null ? 'unavailable' : figure(ms / 1000, 2)
}

function kibSpread ({ mean, p99, max }: Spread): string {
  return [mean, p99, max].map(kib).join(' / ')
}
