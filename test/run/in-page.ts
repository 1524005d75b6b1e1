import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import puppeteer from 'puppeteer-core'
import { servePage } from './serve-page.ts'
import type { LaunchOptions } from 'puppeteer-core'

export interface PageRun {
  readonly passed: number
  /** The full titles of the tests that failed */
  readonly failed: readonly string[]
}

// a busy machine takes longer than a person would wait
const loadTimeoutMs = 120_000
// that the tests have ended is the answer to one call
const runTimeoutMs = 30 * 60_000

/** The tests that were built, by their paths from here */
export const builtTests = path.resolve(import.meta.dirname, '../../dist/test')

/**
 * Runs some of the built tests, by their paths in `builtTests`, in a page of a browser, for what aegir cannot do. Gives
 * every line that mocha and the tests log to `print`.
 *
 * @throws {Error} what the page throws outside of a test
 */
export async function runInPage (browserOptions: LaunchOptions, files: readonly string[], print: (line: string) => void): Promise<PageRun> {
  const server = await servePage({ '/mocha.js': readMocha(), '/tests.js': await bundle(files) })
  const browser = await puppeteer.launch({ headless: true, protocolTimeout: runTimeoutMs, ...browserOptions })

  try {
    const page = await browser.newPage()
    page.on('console', message => { print(message.text()) })
    const thrown = new Promise<never>((resolve, reject) => {
      // once tests run, mocha makes what nobody caught a failure of the test that runs
      page.on('pageerror', error => {
        page.evaluate('globalThis.areTestsRunning === true').then(areRunning => areRunning === true ? undefined : reject(error), reject)
      })
    })
    await page.goto(server.url, { timeout: loadTimeoutMs })
    await Promise.race([page.waitForFunction('globalThis.pageRun !== undefined', { timeout: 0, polling: 200 }), thrown])

    // the page's own text: nothing of its types is known here
    return JSON.parse(String(await page.evaluate('JSON.stringify(globalThis.pageRun)')))
  } finally {
    await browser.close()
    server.close()
  }
}

/** Mocha's own bundle for pages */
function readMocha (): string {
  const require = createRequire(import.meta.url)

  return fs.readFileSync(require.resolve('mocha/mocha.js'), 'utf8')
}

async function bundle (files: readonly string[]): Promise<string> {
  const imports = files.map(file => `import './${file.replaceAll(path.sep, '/')}'`)
  // a page has no environment
  const define: Record<string, string> = process.env.SEED == null ? {} : { 'globalThis.process': JSON.stringify({ env: { SEED: process.env.SEED } }) }
  const { outputFiles: [{ text }] } = await build({
    stdin: {
      // modules run in the order of their imports: the page sets mocha up before the first test is described
      contents: ["import { runTests } from './run/mocha-page.js'", ...imports, 'runTests()'].join('\n'),
      resolveDir: builtTests
    },
    define,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    sourcemap: 'inline',
    // classes of the same name in one file would be given others
    keepNames: true,
    write: false
  })

  return text
}
