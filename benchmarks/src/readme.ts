import { readFile } from 'node:fs/promises'
import { readmeSection } from './cases/add-dir/index.ts'
import type { Report } from './cases/add-dir/index.ts'

// the reports that the README's figures come from; what was run is in each, under options
const REPORTS = ['add-dir.json', 'node-modules.json']
const BEGIN = '<!-- measured: begin -->'
const END = '<!-- measured: end -->'

/**
 * Puts the figures of the committed reports into the README's text.
 */
export async function updateReadme (text: string): Promise<string> {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)

  if (after == null) {
    throw new Error(`the README has no place for figures, between ${BEGIN} and ${END}`)
  }

  return `${before}${BEGIN}\n\n${readmeSection(await Promise.all(REPORTS.map(readReport)))}\n\n${END}${after}`
}

async function readReport (name: string): Promise<Report> {
  return JSON.parse(await readFile(new URL(`../../results/${name}`, import.meta.url), 'utf8'))
}
