import { failedRows } from '../../harness/failed-rows.ts'
import { figure, megabytes } from '../../harness/markdown.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { besidePublished } from './beside-published.ts'
import { allCodecs, whatIs } from './codecs/index.ts'
import { besideColumns, carColumns, msOf, strictnessColumns, wayColumns } from './columns.ts'
import { LOOK_UPS } from './directories.ts'
import { sayFamilies } from './families.ts'
import { OTHER_BYTES, isOther, othersThan } from './other-bytes.ts'
import { sayCompared } from './say-compared.ts'
import { untriedOf } from './strictness.ts'
import type { CodecReport, Direction, FamilyRow } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'

/**
 * What the percentages are of
 */
const BASE = 'dag-cbor-2'

/**
 * Shows how fast every library is, in percent of the last one on borc.
 */
export function sections (report: CodecReport): Section[] {
  const measured = report.rows.filter(({ status }) => status === 'ok')

  return [{
    title: 'Encoding and decoding dag-cbor',
    shows: 'Thirteen families of random values are encoded and decoded by every library of CBOR; one name is looked up in a directory of a thousand entries; and a CAR of many blocks is decoded, and decoded, encoded again and written, which has to give what was read.',
    conditions: [
      ['versions', [...new Set(measured.map(({ version, codec }) => version ?? codec))].join('; ')],
      ['options', `${figure(report.options.values)} values of a family, at least ${report.options.iterations} samples and ${figure(report.options.minTimeMs)} ms of them for a row`],
      ['durability', 'Nothing is stored.'],
      ['families', sayFamilies(report.options.families)],
      ...[...new Set([...report.rows, ...report.strictness].map(({ codec }) => codec))].filter(key => allCodecs.includes(key)).map(key => [key, whatIs(key)] as const)
    ],
    charts: [
      ...(['encode', 'decode'] as const).flatMap(direction => beside(direction, report)),
      ...(['encode', 'decode'] as const).flatMap(direction => percentages(direction, measured.filter(row => row.direction === direction))),
      ...lookUps(report),
      ...car(report)
    ],
    tables: [reportTable('What each library takes for dag-cbor: encodings that are treated rightly, by rule', strictnessColumns(report.strictness), report.strictness)],
    notes: report.requirements.map(({ what, holds }) => `${holds ? 'Holds' : 'BROKEN'}: ${what}.`),
    unavailable: [
      ...failedRows(report.rows, ({ codec, family, direction }) => [codec, family, direction]),
      ...report.directories.flatMap(({ content, ways }) => ways.filter(({ status }) => status === 'failed').map(({ key, reason = '' }) => ({ what: `${key}, directory of ${content}`, reason }))),
      ...failedRows(untriedOf(report.strictness), ({ codec }) => [codec, 'strictness']),
      ...failedRows(report.carRows, ({ codec, work }) => [codec, `CAR, ${work}`])
    ]
  }]
}

/**
 * What the document drew its conclusions from
 */
function beside (direction: Direction, report: CodecReport): Chart[] {
  const rows = besidePublished(report)

  if (rows.length === 0) {
    return []
  }

  const title = `${direction === 'encode' ? 'Encoding' : 'Decoding'} with cborg, in percent of borc`
  const samples = report.rows.filter(({ codec }) => codec === 'dag-cbor' || codec === 'dag-cbor-2').map(row => row.samples)

  return [{
    title,
    caption: 'How many values @ipld/dag-cbor on cborg gets through in the time in which @ipld/dag-cbor 2.0.3, on borc, gets through 100: measured here, and published when it changed from the one to the other. Longer bars are faster; above 100, cborg is.',
    basis: `${saySamples(samples)}, each of all values of a family; medians. Published without the number of samples, on another machine.`,
    spec: bars(rows.flatMap(row => [
      { name: row.family, series: 'here', value: row[direction].here },
      { name: row.family, series: 'published', value: row[direction].published }
    ]), { title: 'of borc, longer is better', unit: '%' }),
    table: reportTable(title, besideColumns, rows),
    picture: `codec-${direction}`
  }]
}

function lookUps ({ directories }: CodecReport): Chart[] {
  return directories.filter(({ ways }) => ways.some(({ samples }) => samples > 0)).map(directory => {
    const measured = directory.ways.filter(({ samples }) => samples > 0)
    const what = `One name among ${figure(directory.entries)} entries ${directory.content === 'links' ? 'that link to files' : 'with files in them'}`

    return {
      title: what,
      caption: 'Time until one entry is found in the bytes of a directory: in place, without decoding the others; by our decoder, which checks all of them; by cborg with links left as bytes; and by @ipld/dag-cbor, everything decoded. Shorter bars are faster; the scale is logarithmic.',
      basis: `${saySamples(measured.map(({ samples }) => samples))}, of ${LOOK_UPS} names and in turn; medians; ${saySpread(measured.map(({ samples }) => samples))}.`,
      spec: bars(measured.map(({ key, usPerBlock, rawUs }) => ({ name: key, series: 'time', value: usPerBlock ?? NaN, ...withSpread(rawUs) })), { title: 'time for one name (log scale)', unit: 'µs', scale: 'log' }),
      table: reportTable(what, wayColumns(directory), directory.ways)
    }
  })
}

function withSpread (samples: readonly number[]): { low: number, high: number } {
  const { low, high } = spreadOf(samples)

  return { low, high }
}

function car ({ car, carRows }: CodecReport): Chart[] {
  const measured = carRows.flatMap(row => row.run == null ? [] : [{ name: row.work, series: row.codec, value: row.run.ms / 1000, ...rangeOf(msOf(row)) }])

  if (car == null || measured.length === 0) {
    return []
  }

  const title = `A CAR of ${figure(car.blocks)} blocks`

  return [{
    title,
    caption: 'Time to stream the file and decode every block, and to do so, encode every block again and write it. Shorter bars are faster.',
    basis: `${saySamples(carRows.map(row => msOf(row).length).filter(count => count > 0))} over ${megabytes(car.bytes)} MB, by turns; medians, and the thin line goes from the fastest run to the slowest. ${sayCompared(carRows)}`.trim(),
    spec: bars(measured, { title: 'time, shorter is better', unit: 's' }),
    table: reportTable(title, carColumns(carRows), carRows)
  }]
}

/**
 * In seconds; nothing where there is one run
 */
function rangeOf (rawMs: readonly number[]): { low?: number, high?: number } {
  return rawMs.length < 2 ? {} : { low: Math.min(...rawMs) / 1000, high: Math.max(...rawMs) / 1000 }
}

function percentages (direction: Direction, rows: readonly FamilyRow[]): Chart[] {
  const others = othersThan(BASE, rows)
  const nameOf = (codec: string): string => others.some(other => other.codec === codec) ? `${codec} ${OTHER_BYTES}` : codec
  const shown = rows.flatMap(row => {
    const borc = rows.find(({ family, codec }) => family === row.family && codec === BASE)

    return borc?.opsPerSec == null || row.opsPerSec == null ? [] : [{ ...row, percent: row.opsPerSec / borc.opsPerSec * 100, isOther: isOther(row, borc) }]
  })

  if (shown.length === 0) {
    return []
  }

  return [{
    title: `${direction === 'encode' ? 'Encoding' : 'Decoding'}, in percent of @ipld/dag-cbor on borc`,
    caption: [
      'How many values a library gets through in the time in which @ipld/dag-cbor 2.0.3, the last on borc, gets through 100. Longer bars are faster.',
      ...others.map(({ codec, families, of }) => `${codec} wrote other bytes in ${families} of ${of} families, so that its bars are of other work, and do not compare with the others.`)
    ].join(' '),
    basis: `${saySamples(shown.map(({ samples }) => samples))}, each of all values of a family; medians.`,
    spec: bars(shown.filter(({ codec }) => codec !== BASE).map(({ family, codec, percent }) => ({ name: family, series: nameOf(codec), value: percent })), { title: 'of borc, longer is better', unit: '%' }),
    table: reportTable(`${direction}, in percent of borc`, [
      { title: 'family', align: 'left', cell: row => row.family },
      { title: 'library', align: 'left', cell: row => row.isOther ? `${row.codec} ${OTHER_BYTES}` : row.codec },
      { title: 'op/s', cell: row => figure(row.opsPerSec ?? NaN) },
      { title: '% of borc', cell: row => figure(row.percent, 1) }
    ], shown)
  }]
}
