import { figure } from '../../harness/markdown.ts'
import { triedOf } from './strictness.ts'
import type { BesidePublished } from './beside-published.ts'
import type { DirectoryFigures, DirectoryWay } from './measure-directories.ts'
import type { CarRow } from './report.ts'
import type { Strictness, StrictnessRow } from './strictness.ts'
import type { Column } from '../../harness/markdown.ts'

export const besideColumns: ReadonlyArray<Column<BesidePublished>> = [
  { title: 'Family', align: 'left', cell: ({ family }) => family },
  { title: 'bytes', cell: ({ averageBytes }) => figure(averageBytes) },
  { title: 'encode', cell: ({ encode }) => `${figure(encode.here, 1)} %` },
  { title: 'published', cell: ({ encode }) => `${figure(encode.published, 1)} %` },
  { title: 'decode', cell: ({ decode }) => `${figure(decode.here, 1)} %` },
  { title: 'published', cell: ({ decode }) => `${figure(decode.published, 1)} %` }
]

export function wayColumns (directory: DirectoryFigures): Array<Column<DirectoryWay>> {
  const times = (than: string): Column<DirectoryWay>['cell'] => ({ usPerBlock }) => usPerBlock == null ? '' : `${figure(usOf(directory, than) / usPerBlock, 1)}x`

  return [
    { title: 'Way', align: 'left', cell: ({ key }) => key },
    { title: 'what', align: 'left', cell: ({ what }) => what },
    { title: 'µs', cell: ({ usPerBlock, status }) => usPerBlock == null ? status : figure(usPerBlock, 1) },
    { title: 'faster than full', cell: times('full') },
    { title: 'faster than strict', cell: times('strict') },
    { title: 'samples', cell: ({ samples }) => figure(samples) }
  ]
}

/**
 * What one name takes in one way; NaN where that was not measured
 */
export function usOf (directory: DirectoryFigures | undefined, way: string): number {
  return directory?.ways.find(({ key }) => key === way)?.usPerBlock ?? NaN
}

export function strictnessColumns (rows: readonly StrictnessRow[]): Array<Column<StrictnessRow>> {
  const rules = Object.keys(triedOf(rows).at(0)?.rules ?? {})
  const tried = (cell: (row: Strictness) => string): Column<StrictnessRow>['cell'] => row => row.status == null ? cell(row) : row.status

  return [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    ...rules.map(rule => ({ title: rule, cell: tried(row => `${row.rules[rule].right}/${row.rules[rule].of}`) })),
    { title: 'NaN', cell: tried(({ encoding }) => encoding.NaN) },
    { title: 'infinities', cell: tried(({ encoding }) => encoding.Infinity) },
    { title: 'cycles', cell: tried(({ encoding }) => encoding.cycle) },
    { title: 'text not UTF-8', cell: tried(({ illFormedText }) => illFormedText) }
  ]
}

export function carColumns (rows: readonly CarRow[]): Array<Column<CarRow>> {
  const slowest = (work: CarRow['work']): CarRow | undefined => rows.find(row => row.work === work && row.codec === 'dag-cbor-2')

  return [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    { title: 'work', align: 'left', cell: ({ work }) => work },
    { title: 's', cell: ({ run, status }) => run == null ? status : figure(run.ms / 1000, 1) },
    { title: 'least to most', cell: row => row.run == null ? '' : rangeOf(msOf(row).map(ms => ms / 1000), 1) },
    { title: 'runs', cell: row => figure(msOf(row).length) },
    { title: 'MB/s', cell: ({ run }) => run == null ? '' : figure(run.bytes / 1e3 / run.ms, 1) },
    { title: 'of borc', cell: row => sayOfBorc(row, slowest(row.work)) }
  ]
}

/**
 * Of every run over the CAR; none where it failed
 */
export function msOf ({ rawMs = [] }: CarRow): readonly number[] {
  return rawMs
}

/**
 * The ratio of medians both ways around, and its range: runs of one index were made one after the other
 */
function sayOfBorc (row: CarRow, borc: CarRow | undefined): string {
  if (row.run == null || borc?.run == null) {
    return ''
  }

  const slower = msOf(borc)
  // an interrupt may have left one with fewer
  const ratios = msOf(row).slice(0, slower.length).map((ms, index) => slower[index] / ms)
  const range = row === borc || ratios.length < 2 ? '' : ` (${rangeOf(ratios, 2)})`

  return `${figure(row.run.ms / borc.run.ms * 100, 1)} % / ${figure(borc.run.ms / row.run.ms, 2)} x${range}`
}

function rangeOf (values: readonly number[], decimals: number): string {
  return values.length < 2 ? '' : `${figure(Math.min(...values), decimals)}–${figure(Math.max(...values), decimals)}`
}
