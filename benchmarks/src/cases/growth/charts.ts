import { figure } from '../../harness/markdown.ts'
import { reportTable } from '../../report/chart.ts'
import { lines } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { sayContenders, sayDurability, sayVersions } from '../add-dir/charts.ts'
import { FIT_COLUMNS, ROW_COLUMNS, sayInterval } from './print.ts'
import type { GrowthReport, GrowthRow } from './report.ts'
import type { Section } from '../../report/chart.ts'

/**
 * Shows what a tree costs against its number of files, as a whole and for a file.
 */
export function sections (report: GrowthReport): Section[] {
  const measured = report.rows.filter(({ status }) => status === 'ok')

  return [{
    title: 'Cost against size',
    shows: `Generated trees of growing size, with files of ${figure(report.options.fileBytes)} bytes on average, are imported into an empty store, after one import was read back and compared.`,
    conditions: [
      ['versions', sayVersions(measured)],
      ['options', `at least ${report.options.iterations} samples for a row, one of each contender in turn; no files of equal content, up to 6 directories deep`],
      ['durability', sayDurability(measured)],
      ...sayContenders(report.rows)
    ],
    charts: measured.length === 0 ? [] : [wholeTree(measured, report), oneFile(measured)],
    tables: [reportTable('How the time grows: as the number of files to the power of the exponent', FIT_COLUMNS, report.fits)],
    notes: [
      'An exponent of 1 is a cost for each file that is the same in small and in large trees; above it, large trees cost more for a file. The interval is that of a line through the medians on logarithmic scales.',
      ...report.cidEquality.filter(({ equal }) => !equal).map(({ corpus, group }) => `FAILED: the ${group} CIDs of ${corpus} differ.`)
    ],
    unavailable: report.rows.filter(({ status }) => status !== 'ok').map(({ contender, corpus, status, reason }) => ({ what: `${contender}, ${corpus}`, reason: `${status}: ${reason}` }))
  }]
}

function wholeTree (rows: readonly GrowthRow[], { fits }: GrowthReport): Section['charts'][number] {
  return {
    title: 'Time for a whole tree, by its number of files',
    caption: `Time against files, both logarithmic: lower is faster, and a line that rises steeper costs more for each further file. Fitted exponents: ${fits.map(fit => `${fit.contender} ${fit.exponent.toFixed(2)}${fit.low == null ? '' : ` (${sayInterval(fit)})`}`).join(', ')}.`,
    basis: `Medians of ${saySamples(rows.map(({ samples }) => samples))}; ${saySpread(rows.map(({ samples }) => samples))}. ${sayDurability(rows)}`,
    spec: lines(rows.map(({ files, contender, rawMs }) => {
      const { median, low, high } = spreadOf(rawMs)

      return { x: files, series: contender, y: median, low, high }
    }), FILES_AXIS, { title: 'time for the whole tree (log scale)', unit: 'ms', scale: 'log' }),
    table: reportTable('Time for a whole tree', ROW_COLUMNS, rows),
    picture: 'growth'
  }
}

function oneFile (rows: readonly GrowthRow[]): Section['charts'][number] {
  return {
    title: 'Time for one file, by the size of its tree',
    caption: 'The same times, divided by the number of files: lower is faster, and a flat line costs the same for a file in every tree.',
    basis: `Medians of ${saySamples(rows.map(({ samples }) => samples))}. ${sayDurability(rows)}`,
    spec: lines(rows.map(({ files, contender, rawMs }) => ({ x: files, series: contender, y: spreadOf(rawMs).median * 1000 / files })), FILES_AXIS, { title: 'time for one file (log scale)', unit: 'µs', scale: 'log' }),
    table: reportTable('Time for one file', ROW_COLUMNS, rows)
  }
}

const FILES_AXIS = { title: 'files in the tree (log scale)', scale: 'log' } as const
