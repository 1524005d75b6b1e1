import { failedRows } from '../../harness/failed-rows.ts'
import { figure } from '../../harness/markdown.ts'
import { P99_NOTE } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { editorKeys, editorOf } from './editors/index.ts'
import { ROW_COLUMNS } from './print.ts'
import type { EditRow, EditsReport } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'

/**
 * Shows what writes and reads cost beside others, how writes grow with their
 * directory, and what edits and diffs ask of the store.
 */
export function sections (report: EditsReport): Section[] {
  const measured = report.rows.filter(({ status }) => status === 'ok')
  const of = (...phases: string[]): EditRow[] => measured.filter(({ phase }) => phases.includes(phase))

  return [{
    title: 'Edits, reads and diffs',
    shows: 'Small files are written into a directory and read by path, a large file is changed in its middle, and large trees are compared. Everything is in memory, and what was stored was read back before anything was timed.',
    conditions: [
      ['versions', [...new Set(measured.map(({ contender, version }) => `${contender}: ${version}`))].join('; ')],
      ['options', `at least ${report.options.iterations} samples and ${figure(report.options.minTimeMs)} ms of them for a row, samples of each contender in turn`],
      ['durability', 'Nothing is synced: there is no disk.'],
      ...[...new Set(report.rows.map(({ contender }) => contender))].filter(key => editorKeys.includes(key)).map(key => [key, editorOf(key).what] as const),
      ...new Map(measured.map(({ phase, corpus }) => [phase, corpus]))
    ],
    charts: [
      comparison('Writing small files', 'writes one small file', of('write'), 'edits-write'),
      comparison('Reading small files by path', 'reads one small file', of('read'), 'edits-read'),
      growth(of('fill-fewer', 'fill-more', 'insert-fewer', 'insert-more')),
      blocks(of('patch', 'insert-fewer', 'insert-more', 'diff-flat', 'diff-nested'))
    ].filter(chart => chart != null),
    tables: [
      reportTable('All figures', ROW_COLUMNS, report.rows),
      reportTable('Targets of dagfs, by medians', TARGET_COLUMNS, report.targets)
    ],
    notes: ['dagfs compares every block that it reads with its CID, which Helia MFS and wnfs do not. dagfs and Helia MFS cut files into chunks of 1 MiB, wnfs into such of 256 KiB; the files that all of them write and read have one.', P99_NOTE],
    unavailable: failedRows(report.rows, ({ contender, phase }) => [contender, phase])
  }]
}

function comparison (title: string, what: string, rows: readonly EditRow[], picture: string): Chart | undefined {
  const [first] = rows

  if (first == null) {
    return undefined
  }

  return {
    title,
    caption: `Time until a contender ${what}, of a sample's time (${first.corpus}) divided by its ${figure(first.operations)} operations. The scale is logarithmic, so that equal distances are equal factors: shorter bars are faster. The bar is the median; ${saySpread(rows.map(({ samples }) => samples))}.`,
    basis: `${saySamples(rows.map(({ samples }) => samples))}, nothing synced.`,
    spec: bars(rows.map(row => ({ name: row.contender, series: 'time', ...perOperation(row) })), { title: 'time for one file (log scale)', unit: 'µs', scale: 'log' }),
    table: reportTable(`${title}, in µs for one`, MICROSECONDS, rows),
    picture
  }
}

function growth (rows: readonly EditRow[]): Chart | undefined {
  if (rows.length === 0) {
    return undefined
  }

  return {
    title: 'Writes into a larger directory',
    caption: 'Time for one of many small writes by dagfs: filling an empty directory (fill), and writing all over one that is there (insert), with fewer and with more files. Shorter bars are faster; what grows with the directory is what its size costs.',
    basis: `${saySamples(rows.map(({ samples }) => samples))}, the bar is the median; ${saySpread(rows.map(({ samples }) => samples))}. Nothing is synced.`,
    spec: bars(rows.map(row => ({ name: row.phase, series: 'time', ...perOperation(row) })), { title: 'time for one write', unit: 'µs' }),
    table: reportTable('Writes into a larger directory, in µs for one', MICROSECONDS, rows)
  }
}

function blocks (rows: readonly EditRow[]): Chart | undefined {
  const counted = rows.flatMap(({ phase, counted: asked }) => asked == null ? [] : [{ phase, ...asked }])

  if (counted.length === 0) {
    return undefined
  }

  return {
    title: 'Blocks that an edit or a diff asks for',
    caption: 'How many blocks dagfs reads from the store, and how many it puts there, for each workload as a whole. Fewer are better; the scale is logarithmic, and what asked for none has no bar.',
    basis: 'Counted in the last sample of each; every sample does the same.',
    spec: bars(counted.flatMap(({ phase, blocksRead, blocksPut }) => [
      { name: phase, series: 'read', value: blocksRead },
      { name: phase, series: 'put', value: blocksPut }
    ]).filter(({ value }) => value > 0), { title: 'blocks (log scale)', scale: 'log' }),
    table: reportTable('Blocks that an edit or a diff asks for', [
      { title: 'workload', align: 'left', cell: row => row.phase },
      { title: 'blocks read', cell: row => figure(row.blocksRead) },
      { title: 'blocks put', cell: row => figure(row.blocksPut) },
      { title: 'KiB put', cell: row => figure(row.bytesPut / 1024) }
    ], counted)
  }
}

function perOperation ({ rawMs, operations }: EditRow): { value: number, low: number, high: number } {
  const { median, low, high } = spreadOf(rawMs.map(ms => ms * 1000 / operations))

  return { value: median, low, high }
}

const MICROSECONDS = [
  { title: 'Implementation', align: 'left' as const, cell: (row: EditRow) => row.contender },
  { title: 'workload', align: 'left' as const, cell: (row: EditRow) => row.phase },
  { title: 'median', cell: (row: EditRow) => figure(perOperation(row).value, 1) },
  { title: 'from', cell: (row: EditRow) => figure(perOperation(row).low, 1) },
  { title: 'to', cell: (row: EditRow) => figure(perOperation(row).high, 1) },
  { title: 'samples', cell: (row: EditRow) => figure(row.samples) }
]
