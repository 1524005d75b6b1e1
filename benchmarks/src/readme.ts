import { cases } from './cases/index.ts'
import { headlineChart, writeHeadline } from './headline.ts'
import { readCommitted } from './report/committed.ts'
import { picturesOf, showPicture } from './report/pictures.ts'
import { sayRun } from './report/say-run.ts'
import { writeTable } from './report/write-markdown.ts'
import { writeSummary } from './summary.ts'
import type { CaseReport, Section } from './report/chart.ts'

const PLACE = /<!-- measured ([a-z-]+): begin -->.*?<!-- measured \1: end -->/gs
const SUMMARY = /<!-- summary: begin -->.*?<!-- summary: end -->/s
const HEADLINE = /<!-- headline: begin -->.*?<!-- headline: end -->/s

/**
 * The READMEs that show figures: one beside the code of each case, by its path in the workspace
 */
export function caseReadmes (): Array<{ readonly key: string, readonly path: string, readonly folder: string }> {
  return cases.map(({ key }) => ({ key, path: `src/cases/${key}/README.md`, folder: '../../../pictures' }))
}

/**
 * Puts the figures and pictures of the committed reports into the text of a README that has places for them.
 * `folder` is the path from the README to the pictures.
 */
export async function updateReadme (text: string, folder: string): Promise<string> {
  const reports = await readCommitted()

  if (text.match(PLACE) == null) {
    throw new Error('the README has no place for figures, between <!-- measured add-dir: begin --> and <!-- measured add-dir: end -->')
  }

  return text.replaceAll(PLACE, (_, key: string) => `<!-- measured ${key}: begin -->\n\n${writeSection(key, reports, folder)}\n\n<!-- measured ${key}: end -->`)
}

/**
 * Puts a summary of the committed reports into the text of a page that has a place for it.
 * `folder` is the path to the pictures, `details` that to the directory of the cases.
 */
export async function updateSummary (text: string, folder: string, details: string): Promise<string> {
  if (!SUMMARY.test(text)) {
    throw new Error('the page has no place for a summary, between <!-- summary: begin --> and <!-- summary: end -->')
  }

  const summary = writeSummary(await readCommitted(), folder, details)

  return text.replace(SUMMARY, () => `<!-- summary: begin -->\n\n${summary}\n\n<!-- summary: end -->`)
}

/**
 * Puts the one picture of the repository's README into its text.
 * `folder` is the path to the pictures.
 */
export async function updateHeadline (text: string, folder: string): Promise<string> {
  if (!HEADLINE.test(text)) {
    throw new Error('the README has no place for a picture, between <!-- headline: begin --> and <!-- headline: end -->')
  }

  const headline = writeHeadline(await readCommitted(), folder)

  return text.replace(HEADLINE, () => `<!-- headline: begin -->\n\n${headline}\n\n<!-- headline: end -->`)
}

/**
 * For which cases the text of a README has places, in their order.
 */
export function placesIn (text: string): string[] {
  return [...text.matchAll(PLACE)].map(([, key]) => key)
}

/**
 * Draws the pictures that the READMEs show, by the names of their files.
 */
export async function drawPictures (): Promise<Map<string, string>> {
  const reports = await readCommitted()

  return picturesOf([headlineChart(reports), ...reports.flatMap(sectionsOf).flatMap(({ charts }) => charts)])
}

function writeSection (key: string, reports: readonly CaseReport[], folder: string): string {
  const subject = cases.find(candidate => candidate.key === key)

  if (subject == null) {
    throw new Error(`the README has a place for ${key}, and there is no such case`)
  }

  const own = reports.filter(report => report.case === key)

  if (own.length === 0) {
    return `No figures are committed yet; \`npm start -- ${key}\` measures them.`
  }

  const charts = own.flatMap(sectionsOf).flatMap(section => section.charts)
  const pictures = charts.flatMap(chart => chart.picture == null ? [] : showPicture(chart.picture, chart, folder))

  return [...pictures, ...own.map(report => subject.readme?.(report) ?? writeFigures(report))].join('\n\n')
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
