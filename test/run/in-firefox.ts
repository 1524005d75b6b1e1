import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import puppeteer from 'puppeteer-core'
import { findFirefox, howToGetFirefox } from './firefox.ts'
import { servePage } from './serve-page.ts'

/**
 * Runs the tests of every runtime in a page of a real Firefox, which aegir cannot drive. Prints what mocha would.
 */
const dist = path.resolve(import.meta.dirname, '../../dist/test')
const executablePath = findFirefox()

if (executablePath === undefined) {
  throw new Error(`No Firefox was found: ${howToGetFirefox}`)
}

const server = await servePage({ '/mocha.js': readMocha(), '/tests.js': await bundle() })
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })

try {
  const page = await browser.newPage()
  page.on('console', message => process.stdout.write(`${message.text()}\n`))
  const thrown = new Promise<never>((resolve, reject) => {
    page.on('pageerror', reject)
  })

  await page.goto(server.url)
  await Promise.race([page.waitForFunction('globalThis.failures !== undefined', { timeout: 0, polling: 200 }), thrown])
  process.exitCode = await page.evaluate('globalThis.failures') === 0 ? 0 : 1
} finally {
  await browser.close()
  server.close()
}

/** Mocha's own bundle for pages */
function readMocha (): string {
  const require = createRequire(import.meta.url)

  return fs.readFileSync(require.resolve('mocha/mocha.js'), 'utf8')
}

async function bundle (): Promise<string> {
  const tests = fs.globSync(['**/*.spec.js', 'browser.js'], { cwd: dist }).sort().map(file => `import './${file.replaceAll(path.sep, '/')}'`)
  // a page has no environment
  const define: Record<string, string> = process.env.SEED == null ? {} : { 'globalThis.process': JSON.stringify({ env: { SEED: process.env.SEED } }) }
  const { outputFiles: [{ text }] } = await build({
    stdin: {
      // modules run in the order of their imports: the page sets mocha up before the first test is described
      contents: ["import { runTests } from './run/mocha-page.js'", ...tests, 'runTests()'].join('\n'),
      resolveDir: dist
    },
    define,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    sourcemap: 'inline',
    write: false
  })

  return text
}
