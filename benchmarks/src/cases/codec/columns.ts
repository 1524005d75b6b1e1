import { figure } from '../../harness/markdown.ts'
import type { BesidePublished } from './beside-published.ts'
import type { DirectoryFigures, DirectoryWay } from './directories.ts'
import type { CarRow } from './report.ts'
import type { StrictnessRow } from './strictness.ts'
import type { Column } from '../../harness/markdown.ts'

export const besideColumns: ReadonlyArray<Column<BesidePublished>> = [
  { title: 'Family', align: 'left', cell: ({ family }) => family },
  { title: 'bytes', cell: ({ averageBytes }) => figure(averageBytes) },
  { title: 'encode', cell: ({ encode }) => `${figure(encode.here, 1)} %` },
  { title: 'published', cell: ({ encode }) => `${figure(encode.published, 1)} %` },
  { title: 'decode', cell: ({ decode }) => `${figure(decode.here, 1)} %` },
  { title: 'published', cell: ({ decode }) => `${figure(decode.published, 1)} %` }
]

export function wayColumns ({ ways }: DirectoryFigures): Array<Column<DirectoryWay>> {
  const full = ways.find(({ key }) => key === 'full')?.usPerBlock ?? NaN

  return [
    { title: 'Way', align: 'left', cell: ({ key }) => key },
    { title: 'what', align: 'left', cell: ({ what }) => what },
    { title: 'µs', cell: ({ usPerBlock }) => figure(usPerBlock, 1) },
    { title: 'faster than full', cell: ({ usPerBlock }) => `${figure(full / usPerBlock, 1)}x` },
    { title: 'samples', cell: ({ samples }) => figure(samples) }
  ]
}

export function strictnessColumns (rows: readonly StrictnessRow[]): Array<Column<StrictnessRow>> {
  const rules = Object.keys(rows[0]?.rules ?? {})

  return [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    ...rules.map(rule => ({ title: rule, cell: (row: StrictnessRow) => `${row.rules[rule].right}/${row.rules[rule].of}` })),
    { title: 'NaN', cell: ({ encoding }) => encoding.NaN },
    { title: 'infinities', cell: ({ encoding }) => encoding.Infinity },
    { title: 'cycles', cell: ({ encoding }) => encoding.cycle },
    { title: 'text not UTF-8', cell: ({ illFormedText }) => illFormedText }
  ]
}

export function carColumns (rows: readonly CarRow[]): Array<Column<CarRow>> {
  const slowest = (work: CarRow['work']): number => rows.find(row => row.work === work && row.codec === 'dag-cbor-2')?.run?.ms ?? NaN

  return [
    { title: 'Codec', align: 'left', cell: ({ codec }) => codec },
    { title: 'work', align: 'left', cell: ({ work }) => work },
    { title: 's', cell: ({ run, status }) => run == null ? status : figure(run.ms / 1000, 1) },
    { title: 'MB/s', cell: ({ run }) => run == null ? '' : figure(run.bytes / 1e3 / run.ms, 1) },
    { title: 'of borc', cell: ({ run, work }) => run == null ? '' : `${figure(run.ms / slowest(work) * 100, 1)} % / ${figure(slowest(work) / run.ms, 2)} x` }
  ]
}
