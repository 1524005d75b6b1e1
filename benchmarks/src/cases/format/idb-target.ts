import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { UnavailableError } from './import-target.ts'
import { loadBrowsers } from './internals.ts'
import { servePage } from './serve-page.ts'
import type { IdbPage } from './idb-page.ts'
import type { ImportTarget, TargetContext } from './import-target.ts'
import type { BrowserContext } from 'playwright-core'

// a sandbox of Chromium's own cannot be made by root, nor in most containers
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/**
 * What idb-page.ts defines; functions for the page see nothing of this file
 */
interface PageGlobals {
  readonly idbPage: IdbPage
}

/**
 * IndexedDB in a page of a real Chromium, whose profile is on the disk that is
 * measured: without one, it would keep the database in memory.
 */
export async function idbTarget ({ source, scratch, signal }: TargetContext): Promise<ImportTarget> {
  const { findChromium, howToGetChromium } = await loadBrowsers()
  const executablePath = findChromium()

  if (executablePath === undefined) {
    throw new UnavailableError(`no Chromium was found: ${howToGetChromium}`)
  }

  const profile = await mkdtemp(join(scratch, 'idb-'))
  const server = await servePage(await bundle(), source)
  let context: BrowserContext | undefined

  // what the page was asked then fails
  const interrupt = (): void => { void context?.close() }

  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', interrupt)
    await context?.close()
    server.close()
    await rm(profile, { recursive: true, force: true })
  }

  try {
    context = await chromium.launchPersistentContext(profile, { executablePath, args: ARGS })

    signal.addEventListener('abort', interrupt, { once: true })

    const page = await context.newPage()

    await page.goto(server.url)
    await page.waitForFunction('globalThis.idbPage !== undefined')

    return {
      prepare: async () => page.evaluate(async () => (globalThis as unknown as PageGlobals).idbPage.prepare()),
      add: async inlineBytes => page.evaluate(async bytes => (globalThis as unknown as PageGlobals).idbPage.add(bytes), inlineBytes),
      clean: async () => page.evaluate(async () => (globalThis as unknown as PageGlobals).idbPage.clean()),
      close
    }
  } catch (err) {
    await close()
    throw err
  }
}

async function bundle (): Promise<string> {
  const { outputFiles: [{ text }] } = await build({
    // the file beside this one when both are compiled
    entryPoints: [fileURLToPath(new URL('idb-page.js', import.meta.url))],
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2024',
    write: false
  })

  return text
}
