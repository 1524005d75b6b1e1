import path from 'node:path'
import { findChromium, howToGetChromium, playwrightEnv } from './chromium.ts'
import { addCounts, formatCounts } from './counts.ts'
import { runSuite } from './run-suite.ts'
import { suites } from './suites.ts'

/**
 * The tests' one command: `npm test`, or with the names of suites, those. Without a browser its suites are skipped, and
 * said to be, unless they were asked for by name or this is CI.
 */
const browsersDirectory = path.resolve(import.meta.dirname, '../../node_modules/.cache/dagfs/playwright')
const asked = process.argv.slice(2)
const unknown = asked.find(name => suites[name] === undefined)

if (unknown !== undefined) {
  throw new Error(`There is no suite ${unknown}, only ${Object.keys(suites).join(', ')}`)
}

const isBrowserRequired = asked.length > 0 || (process.env.CI ?? '') !== ''
const executable = findChromium()
const browserEnv: Record<string, string> = executable === undefined ? {} : playwrightEnv(executable, browsersDirectory)
const skipped: string[] = []
let total = { passed: 0, failed: 0, skipped: 0 }

for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
  const suite = suites[name]

  if (suite.browser === 'all' && executable === undefined && !isBrowserRequired) {
    skipped.push(name)
    continue
  }

  print(`\n== ${name} ==`)

  if (suite.browser === 'all' && executable === undefined) {
    print(`No Chromium was found: ${howToGetChromium}`)
    total = addCounts(total, { passed: 0, failed: 1, skipped: 0 })
    continue
  }

  const env = { ...browserEnv, ...(isBrowserRequired ? {} : { DAGFS_BROWSER: 'optional' }) }
  const counts = await runSuite(suite, env)
  print(`== ${name}: ${formatCounts(counts)}`)
  total = addCounts(total, counts)
}

print('')

if (executable === undefined && !isBrowserRequired) {
  print(`!! NOT TESTED IN A BROWSER, for none was found. Skipped: ${skipped.join(', ')}, and the package in a page.`)
  print(`!! To test there as well, ${howToGetChromium}.\n`)
}

print(formatCounts(total))
process.exitCode = total.failed > 0 ? 1 : 0

function print (line: string): void {
  process.stdout.write(`${line}\n`)
}
