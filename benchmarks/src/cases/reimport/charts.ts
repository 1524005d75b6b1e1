import { figure, megabytes } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { reportTable } from '../../report/chart.ts'
import { bars } from '../../report/specs.ts'
import { saySamples, saySpread, spreadOf } from '../../report/spread.ts'
import { rowColumns } from './print.ts'
import type { ReimportReport, ReimportRow } from './report.ts'
import type { Chart, Section } from '../../report/chart.ts'

/**
 * Shows what it costs to import a directory again, and to export it where it is
 * already, beside the least that any program has to do.
 */
export function sections (report: ReimportReport): Section[] {
  const { rows, targets, options, files, bytes, version } = report
  const of = (...phases: string[]): ReimportRow[] => rows.filter(({ phase, samples }) => phases.includes(phase) && samples > 0)

  return [{
    title: 'Importing and exporting again',
    shows: 'A directory that was imported with a record is imported again, unchanged and with some files changed, beside a bare walk that looks at every entry. It is exported beside cp -r, and exported again to where it is already. And files of equal content are imported beside files of the same sizes that are all different.',
    conditions: [
      ['directory', `${figure(files)} files, ${megabytes(bytes)} MB${options.testPath == null ? ', generated from a seed' : ''}`],
      ['versions', version],
      ['options', `at least ${options.iterations} samples of a row, one of each in turn; ${options.changed} files change`],
      ['durability', 'Imports return once they are synced to the disk; exports and cp are not.'],
      ...rows.map(({ phase, what }) => [phase, what] as const)
    ],
    charts: [
      chart('Importing again', of('walk', 'again', 'changed'), rows),
      chart('Exporting, and exporting again', of('cp', 'export', 'export-again', 'export-by-time'), rows),
      chart('Files of equal content, and files that are all different', of('unique', 'repeated'), rows)
    ].filter(shown => shown != null),
    tables: [
      reportTable('All figures', rowColumns(rows), rows),
      reportTable('Targets, by medians', TARGET_COLUMNS, targets)
    ],
    notes: ['After every import it was checked how many files were read, and at the end that the root is that of an import into an empty store, and that every exported tree gives that root again. Every import of files of equal content, and of others, gave the root that they give in memory.'],
    unavailable: rows.filter(({ samples }) => samples === 0).map(({ phase, reason }) => ({ what: phase, reason: reason ?? 'the run was interrupted' }))
  }]
}

function chart (title: string, shown: readonly ReimportRow[], rows: readonly ReimportRow[]): Chart | undefined {
  if (shown.length === 0) {
    return undefined
  }

  return {
    title,
    caption: `A bar is how long one way through the directory takes; shorter is faster. It is the median; ${saySpread(shown.map(({ samples }) => samples))}.`,
    basis: `${saySamples(shown.map(({ samples }) => samples))}.`,
    spec: bars(shown.map(({ phase, rawMs }) => {
      const { median, low, high } = spreadOf(rawMs)

      return { name: phase, series: 'time', value: median, low, high }
    }), { title: 'time, shorter is better', unit: 'ms' }),
    table: reportTable(title, rowColumns(rows), shown)
  }
}
