import { figure, markdownTable, megabytes } from '../../harness/markdown.ts'
import type { DirectoryFigures } from './directories.ts'
import type { CarRow, CodecReport, Direction, FamilyRow } from './report.ts'
import type { StrictnessRow } from './strictness.ts'
import type { Column } from '../../harness/markdown.ts'

/**
 * Lays the report out: the families as the document has them, then tables.
 */
export function printCodec (report: CodecReport): string {
  const { rows, directory, strictness, car, carRows, requirements, options } = report
  const failures = [...new Set([...rows, ...carRows].filter(({ status }) => status === 'failed').map(row => `${row.codec}, ${'family' in row ? row.family : row.work}: ${row.reason ?? ''}`))]

  return [
    options.families.map(family => familyLines(family, rows, options.values)).join('\n'),
    ...directory == null ? [] : [`A directory of ${directory.entries} entries in one block of ${directory.bytes} bytes, one name looked up:`, directoryTable(directory)],
    'What each takes for dag-cbor: encodings that are treated rightly, by rule',
    strictnessTable(strictness),
    ...car == null ? [] : [`A CAR of ${figure(car.blocks)} blocks and ${megabytes(car.bytes)} MB:`, markdownTable(carColumns(carRows), carRows)],
    failures.join('\n'),
    requirements.map(({ what, holds }) => `${holds ? 'holds' : 'BROKEN'}: ${what}`).join('\n')
  ].filter(part => part !== '').join('\n\n')
}

/**
 * `rnd-100 @ 1,000`, and below it a line for each direction; every codec with
 * what the first does in percent of it.
 */
function familyLines (family: string, rows: readonly FamilyRow[], values: number): string {
  return [`${family} @ ${figure(values)}`, ...(['encode', 'decode'] as const).map(direction => `        ${directionLine(family, direction, rows)}`)].join('\n')
}

function directionLine (family: string, direction: Direction, rows: readonly FamilyRow[]): string {
  const [first, ...others] = rows.filter(row => row.family === family && row.direction === direction && row.opsPerSec != null)

  if (first == null) {
    return `${direction}: nobody`
  }

  const rates = others.map(row => `${row.codec} @ ${rate(row)}${row.digest === first.digest ? '' : ' (other bytes)'} = ${figure((first.opsPerSec ?? NaN) / (row.opsPerSec ?? NaN) * 100, 1)} %`)

  return `${direction} (avg ${figure(first.averageBytes ?? NaN)} b): ${[`${first.codec} @ ${rate(first)}`, ...rates].join(' / ')}`
}

function rate ({ opsPerSec = NaN }: FamilyRow): string {
  return `${figure(opsPerSec)} op/s`
}

function directoryTable (directory: DirectoryFigures): string {
  const full = directory.ways.find(({ key }) => key === 'full')?.usPerBlock ?? NaN

  return markdownTable([
    { title: 'Way', align: 'left', cell: ({ key }) => key },
    { title: 'what', align: 'left', cell: ({ what }) => what },
    { title: 'µs', cell: ({ usPerBlock }) => figure(usPerBlock, 1) },
    { title: 'faster than full', cell: ({ usPerBlock }) => `${figure(full / usPerBlock, 1)}x` },
    { title: 'samples', cell: ({ samples }) => figure(samples) }
  ], directory.ways)
}

function strictnessTable (rows: readonly StrictnessRow[]): string {
  const rules = Object.keys(rows[0]?.rules ?? {})
  const columns: Array<Column<StrictnessRow>> = [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    ...rules.map(rule => ({ title: rule, cell: (row: StrictnessRow) => `${row.rules[rule].right}/${row.rules[rule].of}` })),
    { title: 'NaN', cell: ({ encoding }) => encoding.NaN },
    { title: 'infinities', cell: ({ encoding }) => encoding.Infinity },
    { title: 'cycles', cell: ({ encoding }) => encoding.cycle },
    { title: 'text not UTF-8', cell: ({ illFormedText }) => illFormedText }
  ]

  return markdownTable(columns, rows)
}

function carColumns (rows: readonly CarRow[]): Array<Column<CarRow>> {
  const slowest = (work: CarRow['work']): number => rows.find(row => row.work === work && row.codec === 'dag-cbor-2')?.run?.ms ?? NaN

  return [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    { title: 'work', align: 'left', cell: ({ work }) => work },
    { title: 's', cell: ({ run, status }) => run == null ? status : figure(run.ms / 1000, 1) },
    { title: 'MB/s', cell: ({ run }) => run == null ? '' : figure(run.bytes / 1e3 / run.ms, 1) },
    { title: 'of borc', cell: ({ run, work }) => run == null ? '' : `${figure(run.ms / slowest(work) * 100, 1)} % / ${figure(slowest(work) / run.ms, 2)} x` }
  ]
}
