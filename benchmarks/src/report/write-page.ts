import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sectionsOf } from './sections-of.ts'
import { writeHtml } from './write-html.ts'
import { writeMarkdown } from './write-markdown.ts'
import type { CaseReport, Unavailable } from './chart.ts'

/**
 * Writes reports as `report.json`, `report.md` and `report.html`, and says where
 * the page is.
 */
export async function writePage (reports: readonly CaseReport[], directory: string, failed: readonly Unavailable[] = []): Promise<string> {
  const chapters = sectionsOf(reports, failed)
  const page = join(directory, 'report.html')

  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'report.json'), `${JSON.stringify({ schema: 1, reports, failed }, null, 2)}\n`)
  await writeFile(join(directory, 'report.md'), writeMarkdown(chapters))
  await writeFile(page, await writeHtml(chapters))

  return `The report is in ${relative(process.env.INIT_CWD ?? '', page)}: ${pathToFileURL(page)}`
}
