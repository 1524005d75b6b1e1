import { figure } from '../../harness/markdown.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples } from '../../report/spread.ts'
import type { CodecReport, Direction, FamilyRow } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'

/**
 * Shows how fast every library is, in percent of the last one on borc.
 */
export function sections (report: CodecReport): Section[] {
  const measured = report.rows.filter(({ status }) => status === 'ok')

  return [{
    title: 'Encoding and decoding dag-cbor',
    shows: 'Thirteen families of random values are encoded and decoded by every library of CBOR.',
    conditions: [
      ['versions', [...new Set(measured.map(({ version, codec }) => version ?? codec))].join('; ')],
      ['options', `${figure(report.options.values)} values of a family, at least ${report.options.iterations} samples and ${figure(report.options.minTimeMs)} ms of them for a row`],
      ['durability', 'Nothing is stored.']
    ],
    charts: (['encode', 'decode'] as const).flatMap(direction => percentages(direction, measured.filter(row => row.direction === direction))),
    tables: [],
    notes: report.requirements.map(({ what, holds }) => `${holds ? 'Holds' : 'BROKEN'}: ${what}.`),
    unavailable: report.rows.filter(({ status }) => status === 'failed').map(({ codec, family, direction, reason }) => ({ what: `${codec}, ${family}, ${direction}`, reason: reason ?? '' }))
  }]
}

function percentages (direction: Direction, rows: readonly FamilyRow[]): Chart[] {
  const shown = rows.flatMap(row => {
    const borc = rows.find(({ family, codec }) => family === row.family && codec === 'dag-cbor-2')?.opsPerSec

    return borc == null || row.opsPerSec == null ? [] : [{ ...row, percent: row.opsPerSec / borc * 100 }]
  })

  if (shown.length === 0) {
    return []
  }

  return [{
    title: `${direction === 'encode' ? 'Encoding' : 'Decoding'}, in percent of @ipld/dag-cbor on borc`,
    caption: 'How many values a library gets through in the time in which @ipld/dag-cbor 2.0.3, the last on borc, gets through 100. Longer bars are faster.',
    basis: `${saySamples(shown.map(({ samples }) => samples))}, each of all values of a family; medians.`,
    spec: bars(shown.filter(({ codec }) => codec !== 'dag-cbor-2').map(({ family, codec, percent }) => ({ name: family, series: codec, value: percent })), { title: '% of borc' }),
    table: reportTable(`${direction}, in percent of borc`, [
      { title: 'family', align: 'left', cell: row => row.family },
      { title: 'library', align: 'left', cell: row => row.codec },
      { title: 'op/s', cell: row => figure(row.opsPerSec ?? NaN) },
      { title: '% of borc', cell: row => figure(row.percent, 1) }
    ], shown)
  }]
}
