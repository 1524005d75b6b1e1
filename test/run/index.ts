import path from 'node:path'
import { findChromium, howToGetChromium, playwrightEnv } from './chromium.ts'
import { addCounts, formatCounts } from './counts.ts'
import { findFirefox, howToGetFirefox } from './firefox.ts'
import { runSuite } from './run-suite.ts'
import { suites } from './suites.ts'
import type { SuiteResult } from './run-suite.ts'
import type { BrowserName, Suite } from './suites.ts'

/** A suite that ran, and what it printed that is not to be seen yet */
interface Ended extends SuiteResult {
  readonly lines: readonly string[]
}

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
const chromium = findChromium()
const firefox = findFirefox()
const browsers: Readonly<Record<BrowserName, { readonly executable?: string, readonly howToGet: string }>> = {
  Chromium: { executable: chromium, howToGet: howToGetChromium },
  Firefox: { executable: firefox, howToGet: howToGetFirefox }
}
const env = {
  ...(chromium === undefined ? {} : playwrightEnv(chromium, browsersDirectory)),
  ...(firefox === undefined ? {} : { FIREFOX_PATH: firefox }),
  ...(isBrowserRequired ? {} : { DAGFS_BROWSER: 'optional' })
}
const skipped: string[] = []
const failures: string[] = []
let total = { passed: 0, failed: 0, skipped: 0 }

const names = asked.length > 0 ? asked : Object.keys(suites).filter(name => suites[name].isExtra !== true)
const besides = new Map<string, Promise<Ended>>()

for (const name of names) {
  const { browser } = suites[name]
  const isMissing = browser !== undefined && browsers[browser].executable === undefined

  if (isMissing && !isBrowserRequired) {
    skipped.push(name)
    continue
  }

  print(`\n== ${name} ==`)

  if (isMissing) {
    print(`No ${browser} was found: ${browsers[browser].howToGet}`)
    total = addCounts(total, { passed: 0, failed: 1, skipped: 0 })
    continue
  }

  for (const other of names.filter(other => suites[other].beside === name)) {
    besides.set(other, runBeside(suites[other]))
  }

  const { lines, ...result } = await besides.get(name) ?? { lines: [], ...await runSuite(suites[name], env, print) }
  const { counts } = result
  lines.forEach(print)
  print(`== ${name}: ${formatCounts(counts)}`)
  total = addCounts(total, counts)

  if (result.failures.length > 0) {
    failures.push('', `== failed in ${name}`, ...result.failures)
  }
}

// once more, where whoever sees only the end finds it
failures.forEach(print)
print('')

for (const name of skipped) {
  const { browser } = suites[name]

  if (browser !== undefined) {
    print(`!! NOT TESTED: ${name}, for no ${browser} was found. To test there as well, ${browsers[browser].howToGet}.`)
  }
}

if (chromium === undefined && !isBrowserRequired) {
  print('!! NOT TESTED: the package in a page, for no Chromium was found.')
}

print(formatCounts(total))
process.exitCode = total.failed > 0 ? 1 : 0

/** Keeps what it prints until it has its turn. */
async function runBeside (suite: Suite): Promise<Ended> {
  const lines: string[] = []

  return { lines, ...await runSuite(suite, env, line => { lines.push(line) }) }
}

function print (line: string): void {
  process.stdout.write(`${line}\n`)
}
