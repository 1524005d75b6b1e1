import fs from 'node:fs'
import { findFirefox, howToGetFirefox } from './firefox.ts'
import { builtTests, runInPage } from './in-page.ts'

/**
 * Runs the tests of every runtime in a page of a real Firefox, which aegir cannot drive. Prints what mocha would.
 */
const executablePath = findFirefox()

if (executablePath === undefined) {
  throw new Error(`No Firefox was found: ${howToGetFirefox}`)
}

// the user would be asked whether the origin may keep what it stores, and nobody is there to answer
const preferences = { 'dom.storageManager.prompt.testing': true, 'dom.storageManager.prompt.testing.allow': true }
const files = fs.globSync(['**/*.spec.js', 'browser.js'], { cwd: builtTests }).sort()
const { failed } = await runInPage({ browser: 'firefox', executablePath, extraPrefsFirefox: preferences }, files, line => process.stdout.write(`${line}\n`))

process.exitCode = failed.length === 0 ? 0 : 1
