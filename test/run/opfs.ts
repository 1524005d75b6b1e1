import { chromiumArgs, findChromium, howToGetChromium } from './chromium.ts'
import { runInPage } from './in-page.ts'
import { knownOpfsFailures } from './opfs-failures.ts'

/**
 * Tries the suite of the file system on OPFS in a page of Chromium. Every test is to pass but those that the README names,
 * which are to fail as often as it says, so that the README stays right. Prints what mocha would, with that in mind.
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
const known = knownOpfsFailures().map(({ title, isSteady }) => ({ title: `${suite}${title}`, isSteady }))
const wrong = [
  ...failed.filter(title => !known.some(failure => failure.title === title)).map(title => `fails, and the README does not say so: ${title}`),
  ...known.filter(({ title, isSteady }) => isSteady && !failed.includes(title)).map(({ title }) => `the README says that it fails, and it does not: ${title}`)
]

process.stdout.write(`\n  ${passed + failed.length - wrong.length} passing\n  ${wrong.length} failing\n`)
wrong.forEach((fault, index) => process.stdout.write(`  ${index + 1}) ${fault}\n`))
process.exitCode = wrong.length === 0 ? 0 : 1
