import { cases } from './cases/index.ts'
import { compactTable } from './harness/markdown.ts'
import { missedFirst } from './harness/target.ts'
import { JUDGED_COLUMNS } from './report/judged-targets.ts'
import { showPicture } from './report/pictures.ts'
import { sayRun } from './report/say-run.ts'
import type { CaseReport, Section } from './report/chart.ts'

/**
 * The pictures of the summary
 */
const PICTURES = ['add-dir-node-modules', 'edits-write']

/**
 * Summarises reports in Markdown: some pictures, and all targets with their results.
 * `folder` is the path to the pictures, `details` that to the directory of the cases.
 */
export function writeSummary (reports: readonly CaseReport[], folder: string, details: string): string {
  const shown = cases.flatMap(({ key, show }) => reports
    .filter(report => report.case === key)
    .map(report => ({ link: `[${key}](${details}/${key}/README.md)`, report, ...show(report) })))
  const judged = shown.filter(({ targets }) => targets.length > 0)
  const targets = judged.flatMap(({ link, targets }) => targets.map(target => ({ of: link, ...target })))

  return [
    ...picturesOf(shown.flatMap(({ sections }) => sections), folder),
    compactTable(JUDGED_COLUMNS, missedFirst(targets)),
    judged.map(({ link, report }) => `- ${link}: ${sayRun(report)}`).join('\n')
  ].join('\n\n')
}

function picturesOf (sections: readonly Section[], folder: string): string[] {
  const charts = sections.flatMap(({ charts }) => charts)

  return PICTURES.flatMap(picture => charts.filter(chart => chart.picture === picture).map(chart => showPicture(picture, chart, folder)))
}
