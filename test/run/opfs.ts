import { chromiumArgs, findChromium, howToGetChromium } from './chromium.ts'
import { runInPage } from './in-page.ts'
import { knownOpfsFailures } from './opfs-failures.ts'

/**
 * Tries the suite of the file system on OPFS in a page of Chromium. Every test is to pass but those that docs/browsers.md names:
 * these fail where two reads meet, which on a busy machine they may not. Prints what mocha would, with that in mind.
 */
const executablePath = findChromium()

if (executablePath === undefined) {
  throw new Error(`No Chromium was found: ${howToGetChromium}`)
}

const suite = 'fs on OPFSBlockstore '
const { passed, failed } = await runInPage({ browser: 'chrome', executablePath, args: chromiumArgs }, ['opfs.js'], line => {
  if (/^ *(✔|\d+\))/.test(line)) {
    process.stdout.write(`${line}\n`)
  }
})
const known = knownOpfsFailures().map(title => `${suite}${title}`)
const wrong = failed.filter(title => !known.includes(title))

for (const title of known.filter(title => !failed.includes(title))) {
  process.stdout.write(`  passed this time, though docs/browsers.md says that it may fail: ${title}\n`)
}

process.stdout.write(`\n  ${passed + failed.length - wrong.length} passing\n  ${wrong.length} failing\n`)
wrong.forEach((title, index) => process.stdout.write(`  ${index + 1}) fails, and docs/browsers.md does not say so: ${title}\n`))
process.exitCode = wrong.length === 0 && passed > 0 ? 0 : 1
