import { sayFailed } from '../../harness/failed-rows.ts'
import { figure, markdownTable, megabytes } from '../../harness/markdown.ts'
import { carColumns, strictnessColumns, wayColumns } from './columns.ts'
import { OTHER_BYTES, isOther } from './other-bytes.ts'
import { untriedOf } from './strictness.ts'
import type { DirectoryFigures } from './measure-directories.ts'
import type { CodecReport, Direction, FamilyRow } from './report.ts'

/**
 * Lays the report out: the families as the document has them, then tables.
 */
export function printCodec (report: CodecReport): string {
  const { rows, directories, strictness, car, carRows, requirements } = report
  const failures = [...new Set([...rows, ...carRows].filter(({ status }) => status === 'failed').map(row => `${row.codec}, ${'family' in row ? row.family : row.work}: ${row.reason ?? ''}`))]

  return [
    printFamilies(report),
    ...directories.flatMap(directory => [sayDirectory(directory), markdownTable(wayColumns(directory), directory.ways)]),
    printStrictness(strictness),
    ...car == null ? [] : [`A CAR of ${figure(car.blocks)} blocks and ${megabytes(car.bytes)} MB:`, markdownTable(carColumns(carRows), carRows)],
    [...failures, ...sayFailed(untriedOf(strictness), ({ codec }) => [codec, 'strictness'])].join('\n'),
    requirements.map(({ what, holds }) => `${holds ? 'holds' : 'BROKEN'}: ${what}`).join('\n')
  ].filter(part => part !== '').join('\n\n')
}

/**
 * Operations per second of every library in every family, as the document lays them out.
 */
export function printFamilies ({ rows, options }: CodecReport): string {
  return options.families.map(family => familyLines(family, rows, options.values)).join('\n')
}

export function printStrictness (strictness: CodecReport['strictness']): string {
  return `What each takes for dag-cbor: encodings that are treated rightly, by rule\n\n${markdownTable(strictnessColumns(strictness), strictness)}`
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

  const rates = others.map(row => `${row.codec} @ ${rate(row)}${isOther(row, first) ? ` ${OTHER_BYTES}` : ''} = ${figure((first.opsPerSec ?? NaN) / (row.opsPerSec ?? NaN) * 100, 1)} %`)

  return `${direction} (avg ${figure(first.averageBytes ?? NaN)} b): ${[`${first.codec} @ ${rate(first)}`, ...rates].join(' / ')}`
}

function rate ({ opsPerSec = NaN }: FamilyRow): string {
  return `${figure(opsPerSec)} op/s`
}

/**
 * Says what is looked up in.
 */
export function sayDirectory ({ content, entries, bytes }: DirectoryFigures): string {
  return `A directory of ${figure(entries)} entries ${content === 'links' ? 'that link to files' : 'with files of 100 bytes in them'}, in one block of ${figure(bytes)} bytes, one name looked up:`
}
