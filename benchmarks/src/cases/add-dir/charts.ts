import { contenderKeys, contenderOf } from '../../contenders/index.ts'
import { figure, megabytes } from '../../harness/markdown.ts'
import { P99_NOTE, sayP99 } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { compareWithPeers } from './peers.ts'
import { judgeTargets } from './targets.ts'
import { judgeReport } from './verdict.ts'
import type { Report } from './report.ts'
import type { Row } from './row.ts'
import type { Column } from '../../harness/markdown.ts'
import type { Chart, Section, Unavailable } from '../../report/chart.ts'

/**
 * Shows each corpus: how long every contender takes with it, and its memory.
 */
export function sections (report: Report): Section[] {
  const corpora = [...new Set(report.rows.map(({ corpus }) => corpus))]

  return corpora.map(corpus => corpusSection(report, report.rows.filter(row => row.corpus === corpus)))
}

function corpusSection (report: Report, rows: readonly Row[]): Section {
  const [{ corpus, files, bytes }] = rows
  const measured = rows.filter(({ status }) => status === 'ok')
  const lines = linesOf(corpus, report)
  const targets = judgeTargets(report.rows, [corpus])
  const remarks = measured.filter(({ reason }) => reason != null && !lines.some(line => line.includes(reason)))

  return {
    title: `Importing ${corpus}: ${figure(files)} files, ${megabytes(bytes)} MB`,
    shows: 'Every contender reads the same directory from disk, stores it and returns its CID. Cold imports go into an empty store. Warm ones import the same directory again, into the store that holds it. What was stored was read back and compared before anything was timed.',
    conditions: [
      ['versions', sayVersions(report.rows)],
      ['options', `at least ${report.options.iterations} samples and ${figure(report.options.minTimeMs)} ms of them for a row, samples of each contender in turn; nobody pins, nobody has a network; the other options are in the JSON`],
      ['durability', sayDurability(measured)],
      ['p99', P99_NOTE],
      ...sayContenders(report.rows)
    ],
    charts: measured.length === 0 ? [] : [timeChart(corpus, measured), memoryChart(corpus, measured)],
    tables: targets.length === 0 ? [] : [reportTable('Targets of cold imports, by medians', TARGET_COLUMNS, targets)],
    notes: [
      ...lines,
      ...new Set(remarks.map(({ contender, reason }) => `${contender}: ${reason}.`))
    ],
    unavailable: missing(rows)
  }
}

/**
 * What the verdict says of a corpus, whose name stands above it already
 */
function linesOf (corpus: string, report: Report): string[] {
  return judgeReport(report).lines
    .filter(line => line.replace('FAILED  ', '').startsWith(`${corpus}: `))
    .map(line => line.replace(`${corpus}: `, ''))
    .map(line => report.rows.some(({ contender }) => line.startsWith(`${contender} is `)) ? line : `${line[0].toUpperCase()}${line.slice(1)}`)
}

function timeChart (corpus: string, rows: readonly Row[]): Chart {
  return {
    title: `${corpus}: import time`,
    caption: `Time for the whole directory, on a logarithmic scale, so that equal distances are equal factors: shorter bars are faster. The bar is the median; ${saySpread(rows.map(({ samples }) => samples))}.`,
    basis: `${saySamples(rows.map(({ samples }) => samples))}. ${sayDurability(rows)}`,
    spec: bars(rows.map(row => {
      const { median, low, high } = spreadOf(row.rawMs)

      return { name: row.contender, series: row.phase, value: median, low, high }
    }), { title: 'time for the whole directory (log scale)', unit: 'ms', scale: 'log' }),
    table: reportTable(`${corpus}: time, in ms`, TIME_COLUMNS, rows.map(row => ({ row, comparison: compareWithPeers(row, rows) }))),
    ...PICTURED.has(corpus) ? { picture: `add-dir-${PICTURED.get(corpus)}` } : {}
  }
}

/**
 * The corpora whose times the README shows, and what their pictures are called
 */
const PICTURED: ReadonlyMap<string, string> = new Map([
  ['generated', 'generated'],
  ['benchmarks/js-ipfs/node_modules', 'node-modules']
])

interface Compared {
  readonly row: Row
  readonly comparison: string
}

const TIME_COLUMNS: ReadonlyArray<Column<Compared>> = [
  { title: 'Implementation', align: 'left', cell: ({ row }) => row.contender },
  { title: 'phase', align: 'left', cell: ({ row }) => row.phase },
  { title: 'median', cell: ({ row }) => figure(spreadOf(row.rawMs).median, 2) },
  { title: 'from', cell: ({ row }) => figure(spreadOf(row.rawMs).low, 2) },
  { title: 'to', cell: ({ row }) => figure(spreadOf(row.rawMs).high, 2) },
  { title: 'p99', cell: ({ row }) => row.p99 == null ? '' : sayP99(row.p99, row.samples) },
  { title: 'samples', cell: ({ row }) => figure(row.samples) },
  { title: 'faster', cell: ({ comparison }) => comparison },
  { title: 'synced', align: 'left', cell: ({ row }) => row.durable === true ? 'yes' : 'no' },
  { title: 'CID', align: 'left', cell: ({ row }) => row.cid ?? '' }
]

function memoryChart (corpus: string, rows: readonly Row[]): Chart {
  const known = rows.filter(row => row.maxRssBytes != null)

  return {
    title: `${corpus}: memory`,
    caption: 'The most memory that the working process ever held, in megabytes: shorter bars are better. A contender that stores in memory holds all blocks in it.',
    basis: `${saySamples(known.map(({ samples }) => samples))}: one process for each contender and phase, its peak over all of them, with what was not collected yet; the table has that of its first sample, too.`,
    spec: bars(known.map(row => ({ name: row.contender, series: row.phase, value: (row.maxRssBytes ?? NaN) / 1e6 })), { title: 'memory at the peak', unit: 'MB' }),
    table: reportTable(`${corpus}: memory at the peak, in MB`, [
      { title: 'Implementation', align: 'left', cell: (row: Row) => row.contender },
      { title: 'phase', align: 'left', cell: row => row.phase },
      { title: 'after one sample', cell: row => row.firstRssBytes == null ? '' : figure(row.firstRssBytes / 1e6) },
      { title: 'after all', cell: row => figure((row.maxRssBytes ?? NaN) / 1e6) },
      { title: 'samples', cell: row => figure(row.samples) }
    ], known)
  }
}

export function sayDurability (rows: ReadonlyArray<Pick<Row, 'contender' | 'durable'>>): string {
  const synced = new Set(rows.filter(({ durable }) => durable === true).map(({ contender }) => contender))

  return synced.size === 0 ? 'Nothing was synced to the disk by anybody.' : `Synced to the disk before returning: ${[...synced].join(', ')}; nobody else.`
}

/**
 * Says of each contender that has rows what it is; of one that there is no more, nothing.
 */
export function sayContenders (rows: ReadonlyArray<Pick<Row, 'contender'>>): Array<readonly [string, string]> {
  return [...new Set(rows.map(({ contender }) => contender))].filter(key => contenderKeys.includes(key)).map(key => [key, contenderOf(key).what])
}

export function sayVersions (rows: ReadonlyArray<Pick<Row, 'contender' | 'version'>>): string {
  return [...new Set(rows.flatMap(({ contender, version }) => version == null ? [] : `${contender}: ${version}`))].join('; ')
}

function missing (rows: readonly Row[]): Unavailable[] {
  const byContender = new Map<string, Unavailable>()

  for (const { contender, status, phase, reason } of rows) {
    if (status !== 'ok' && !byContender.has(contender)) {
      byContender.set(contender, { what: contender, reason: status === 'failed' ? `it failed (${phase}): ${reason}` : reason ?? '' })
    }
  }

  return [...byContender.values()]
}
