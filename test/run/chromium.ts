import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { findExecutable } from './executable.ts'

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

// a sandbox of Chromium's own cannot be made by root, nor in most containers
export const chromiumArgs = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export const howToGetChromium = 'install Chromium or Chrome, or set CHROMIUM_PATH to its executable'

/**
 * Finds a Chromium to test in: CHROMIUM_PATH, then the system's, then one that Playwright has downloaded before.
 *
 * @throws {Error} where CHROMIUM_PATH names no executable
 */
export function findChromium (env: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = findExecutable('CHROMIUM_PATH', commands, env)

  if (found !== undefined) {
    return found
  }

  const downloaded = chromium.executablePath()

  return fs.existsSync(downloaded) ? downloaded : undefined
}

/**
 * The environment in which `aegir test` uses the given browser. Playwright downloads a browser of its own before every
 * run, whichever is used, unless the marker of a finished download is there.
 */
export function playwrightEnv (executable: string, directory: string): Record<string, string> {
  const require = createRequire(import.meta.url)
  const manifest = path.join(path.dirname(require.resolve('playwright-core/package.json')), 'browsers.json')
  const { browsers }: { browsers: Array<{ name: string, revision: string }> } = JSON.parse(fs.readFileSync(manifest, 'utf8'))

  for (const name of ['chromium-headless-shell', 'ffmpeg']) {
    const browser = browsers.find(candidate => candidate.name === name)

    if (browser === undefined) {
      throw new Error(`${manifest} does not name ${name}`)
    }

    const installed = path.join(directory, `${name.replaceAll('-', '_')}-${browser.revision}`)
    fs.mkdirSync(installed, { recursive: true })
    fs.writeFileSync(path.join(installed, 'INSTALLATION_COMPLETE'), '')
  }

  return { CHROMIUM_PATH: executable, PLAYWRIGHT_BROWSERS_PATH: directory }
}
