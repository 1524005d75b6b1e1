import { readmeSection } from './cases/add-dir/index.ts'
import { codecSection } from './cases/codec/readme-section.ts'
import { editsSection } from './cases/edits/index.ts'
import { headersSection } from './cases/headers/readme-section.ts'
import { cases } from './cases/index.ts'
import { layersSection } from './cases/layers/readme-section.ts'
import { reimportSection } from './cases/reimport/readme-section.ts'
import { readCommitted } from './report/committed.ts'
import { picturesOf, showPicture } from './report/pictures.ts'
import { sayRun } from './report/say-run.ts'
import { writeTable } from './report/write-markdown.ts'
import type { Report } from './cases/add-dir/index.ts'
import type { CodecReport } from './cases/codec/report.ts'
import type { EditsReport } from './cases/edits/index.ts'
import type { HeadersReport } from './cases/headers/report.ts'
import type { LayersReport } from './cases/layers/report.ts'
import type { ReimportReport } from './cases/reimport/report.ts'
import type { CaseReport, Section } from './report/chart.ts'

// cases whose figures are laid out for the README by themselves; what was run is
// in each report, under options
const LAYOUTS: Readonly<Record<string, (reports: readonly CaseReport[]) => string>> = {
  // what has a case's name was written by it
  'add-dir': reports => readmeSection(reports as readonly Report[]),
  edits: reports => reports.map(report => editsSection(report as EditsReport)).join('\n\n'),
  headers: reports => reports.map(report => headersSection(report as HeadersReport)).join('\n\n'),
  codec: reports => reports.map(report => codecSection(report as CodecReport)).join('\n\n'),
  layers: reports => reports.map(report => layersSection(report as LayersReport)).join('\n\n'),
  reimport: reports => reports.map(report => reimportSection(report as ReimportReport)).join('\n\n')
}

const PLACE = /<!-- measured ([a-z-]+): begin -->.*?<!-- measured \1: end -->/gs

/**
 * Puts the figures and pictures of the committed reports into the text of a README,
 * where it has places for them.
 * `folder` says where the pictures are, seen from the README's own.
 */
export async function updateReadme (text: string, folder: string): Promise<string> {
  const reports = await readCommitted()

  if (text.match(PLACE) == null) {
    throw new Error('the README has no place for figures, between <!-- measured add-dir: begin --> and <!-- measured add-dir: end -->')
  }

  return text.replaceAll(PLACE, (_, key: string) => `<!-- measured ${key}: begin -->\n\n${writeSection(key, reports, folder)}\n\n<!-- measured ${key}: end -->`)
}

/**
 * Draws the pictures that the READMEs show, by the names of their files.
 */
export async function drawPictures (): Promise<Map<string, string>> {
  return picturesOf((await readCommitted()).flatMap(sectionsOf))
}

function writeSection (key: string, reports: readonly CaseReport[], folder: string): string {
  if (cases.every(subject => subject.key !== key)) {
    throw new Error(`the README has a place for ${key}, and there is no such case`)
  }

  const own = reports.filter(report => report.case === key)

  if (own.length === 0) {
    return `No figures are committed yet; \`npm start -- ${key}\` measures them.`
  }

  const charts = own.flatMap(sectionsOf).flatMap(section => section.charts)
  const pictures = charts.flatMap(chart => chart.picture == null ? [] : showPicture(chart.picture, chart, folder))

  return [...pictures, LAYOUTS[key]?.(own) ?? own.map(writeFigures).join('\n\n')].join('\n\n')
}

/**
 * The figures behind the pictures, the tables and what was found
 */
function writeFigures (report: CaseReport): string {
  const parts = sectionsOf(report).flatMap(({ charts, tables, notes, unavailable }) => [
    ...charts.filter(({ picture }) => picture != null).flatMap(({ table, basis }) => [`**${table.title}.** ${basis}`, writeTable(table)]),
    ...tables.flatMap(table => [`**${table.title}**`, writeTable(table)]),
    [...notes, ...unavailable.map(({ what, reason }) => `${what} is not here: ${reason}`)].map(note => `- ${note}`).join('\n')
  ])

  return [...parts.filter(part => part !== ''), sayRun(report)].join('\n\n')
}

function sectionsOf (report: CaseReport): readonly Section[] {
  const found = cases.find(({ key }) => key === report.case)

  if (found == null) {
    throw new Error(`a report of ${report.case} is committed, and there is no such case`)
  }

  return found.show(report).sections
}
