import { withoutDuplicatesName } from './cases/add-dir/make-corpora.ts'
import { figure, megabytes } from './harness/markdown.ts'
import { ratio } from './harness/target.ts'
import { showPicture } from './report/pictures.ts'
import { bars } from './report/specs.ts'
import { spreadOf } from './report/spread.ts'
import type { Report } from './cases/add-dir/report.ts'
import type { Row } from './cases/add-dir/row.ts'
import type { CaseReport, Chart } from './report/chart.ts'

const CORPUS = 'benchmarks/js-ipfs/node_modules'

/**
 * What the picture shows, in its order, by the contenders' keys
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['dagfs-pack', 'dagfs'],
  ['kubo-direct', 'Kubo'],
  ['helia-fs', 'Helia'],
  ['floor', 'floor']
])

/**
 * The one picture of the repository's README: a directory of many files, stored on disk.
 */
export function headlineChart (reports: readonly CaseReport[]): Chart {
  const rows = coldRows(reports, CORPUS)
  const [{ files, bytes }] = rows
  const shown = [...NAMES].map(([contender, name]) => ({ name, row: rowOf(rows, contender) }))
  const spec = bars(shown.map(({ name, row }) => {
    const { median, low, high } = spreadOf(row.rawMs)

    return { name, series: name, value: median, low, high }
  }), { title: 'time, shorter is better', unit: 'ms' })

  return {
    title: `Storing a node_modules of ${figure(files)} files (${megabytes(bytes)} MB) on disk`,
    caption: `Median of a process's imports, of which the first is slower; the thin line is the spread. The floor only reads, hashes and writes every byte. It and dagfs sync to disk before they return; Kubo and Helia do not. Helia's store stalls on files of equal content; without such files, dagfs is ${timesAsFast(reports, 'helia-fs')} times as fast as Helia.`,
    basis: '',
    spec: highlighted(spec),
    table: { title: '', columns: [], rows: [] },
    picture: 'headline'
  }
}

/**
 * The picture and what it shows, in Markdown.
 */
export function writeHeadline (reports: readonly CaseReport[], folder: string): string {
  return showPicture('headline', headlineChart(reports), folder)
}

/**
 * One colour for dagfs and another for all others
 */
function highlighted (spec: Chart['spec']): Chart['spec'] {
  const domain = [...NAMES.values()]
  const color = { field: 'series', type: 'nominal', legend: null, scale: { domain, range: domain.map(name => `var(--series-${name === 'dagfs' ? 1 : 7})`) } }

  return { ...spec, encoding: { ...spec.encoding as object, color } }
}

/**
 * Of the corpus without files of equal content, by medians
 */
function timesAsFast (reports: readonly CaseReport[], contender: string): string {
  const rows = coldRows(reports, `${CORPUS} ${withoutDuplicatesName}`)

  return figure(ratio(rowOf(rows, contender), rowOf(rows, 'dagfs-pack')) ?? NaN)
}

function coldRows (reports: readonly CaseReport[], corpus: string): readonly Row[] {
  const rows = reports
    .filter((report): report is Report => report.case === 'add-dir')
    .flatMap(report => report.rows.filter(row => row.corpus === corpus && row.phase === 'cold'))

  if (rows.length === 0) {
    throw new Error(`no figures of ${corpus} are committed`)
  }

  return rows
}

function rowOf (rows: readonly Row[], contender: string): Row {
  const row = rows.find(row => row.contender === contender && row.status === 'ok')

  if (row == null) {
    throw new Error(`no figures of ${contender} are committed`)
  }

  return row
}
