import { readFile } from 'node:fs/promises'
import { readmeSection } from './cases/add-dir/index.ts'
import { editsSection } from './cases/edits/index.ts'

// the reports that the README's figures come from; what was run is in each, under options
const SECTIONS: Readonly<Record<string, () => Promise<string>>> = {
  measured: async () => readmeSection([await readReport('add-dir.json'), await readReport('node-modules.json')]),
  'measured edits': async () => editsSection(await readReport('edits.json'))
}

/**
 * Puts the figures of the committed reports into the README's text.
 */
export async function updateReadme (text: string): Promise<string> {
  let updated = text

  for (const [name, write] of Object.entries(SECTIONS)) {
    updated = replaceSection(updated, name, await write())
  }

  return updated
}

function replaceSection (text: string, name: string, section: string): string {
  const begin = `<!-- ${name}: begin -->`
  const end = `<!-- ${name}: end -->`
  const [before, rest = ''] = text.split(begin)
  const [, after] = rest.split(end)

  if (after == null) {
    throw new Error(`the README has no place for figures, between ${begin} and ${end}`)
  }

  return `${before}${begin}\n\n${section}\n\n${end}${after}`
}

/**
 * Each report has the shape of its own case
 */
async function readReport <T> (name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`../../results/${name}`, import.meta.url), 'utf8'))
}
