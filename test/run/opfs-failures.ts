import { readText } from '../architecture/sources.ts'

const begin = '<!-- opfs: begin -->'
const end = '<!-- opfs: end -->'

/**
 * The tests that docs/browsers.md says to fail on OPFS: the rows of its table.
 */
export function knownOpfsFailures (page = readText('docs/browsers.md')): string[] {
  const table = page.split(begin)[1]?.split(end)[0]

  if (table === undefined) {
    throw new Error(`the page has no table between ${begin} and ${end}`)
  }

  return table.split('\n')
    .filter(line => line.startsWith('| '))
    .slice(1)
    .map(line => line.split('|')[1].trim())
}
