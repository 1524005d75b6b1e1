import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { FsBlockstore } from 'blockstore-fs'
import { build } from 'esbuild'
import all from 'it-all'
import { chromium } from 'playwright-core'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { dagfs } from '../../../src/index.ts'
import { childFile } from '../../child-file.ts'
import { chromiumArgs, findChromium, howToGetChromium } from '../../run/chromium.ts'
import { servePage } from '../../run/serve-page.ts'
import { contentOf } from './add-files.ts'
import type { Plugin } from 'esbuild'
import type { Browser, Page } from 'playwright-core'

const files = 200

/** `package.json` names the twins of what is built; the tests run from their sources as well. */
const browserTwins: Plugin = {
  name: 'browser-twins',
  setup ({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path: file }) => {
      const twin = file.replace(/\.ts$/, '.browser.ts')

      return existsSync(twin) ? { contents: await fs.readFile(twin, 'utf8'), loader: 'ts' } : undefined
    })
  }
}

describe('8 processes that share a name', function () {
  this.timeout(600_000)

  const prefixes = Array.from({ length: 8 }, (_, i) => `process-${i}`)
  let directory: string

  before(async () => {
    directory = await fs.mkdtemp(path.join(tmpdir(), 'dagfs-sharing-'))
  })

  after(async () => {
    await fs.rm(directory, { recursive: true })
  })

  async function runProcess (prefix: string): Promise<number> {
    const child = fork(childFile(import.meta.url, 'process'), [path.join(directory, 'blocks'), path.join(directory, 'roots.sqlite'), prefix, String(files)])
    const [[merges], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
    expect(code).to.equal(0)

    return Number(merges)
  }

  it(`lose none of the ${files} files that each adds`, async () => {
    const merges = await Promise.all(prefixes.map(runProcess))
    const blockstore = new FsBlockstore(path.join(directory, 'blocks'))
    await blockstore.open()
    using roots = diskRoots(path.join(directory, 'roots.sqlite'))
    const shared = dagfs({ blockstore }, { name: 'shared', roots })

    expect(await all(shared.ls())).to.have.lengthOf(prefixes.length * files)

    for (const prefix of prefixes) {
      for (let i = 0; i < files; i++) {
        expect(await shared.readFile(`/${prefix}-${i}`, 'utf8')).to.equal(contentOf(prefix, i))
      }
    }

    // else they would not have met
    expect(merges.reduce((a, b) => a + b)).to.be.greaterThan(0)
    await blockstore.close()
  })
})

describe('2 tabs that share a name', function () {
  this.timeout(600_000)

  const chromiumPath = findChromium()

  if (chromiumPath === undefined && process.env.CI == null) {
    // eslint-disable-next-line no-console
    console.warn(`NOT RUN: two tabs that share a name, since there is no browser: ${howToGetChromium}`)
    return
  }

  let browser: Browser

  before(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  })

  after(async () => {
    await browser.close()
  })

  async function work (page: Page, mode: string, prefixes: readonly string[]): Promise<number> {
    return Number(await page.evaluate(`work(${JSON.stringify(mode)}, ${JSON.stringify(prefixes)}, ${files})`))
  }

  it(`lose none of the ${files} files that each adds`, async () => {
    const { outputFiles: [{ text }] } = await build({ entryPoints: [childFile(import.meta.url, 'tab')], bundle: true, format: 'esm', platform: 'browser', target: 'es2024', write: false, plugins: [browserTwins] })
    const server = await servePage({ '/tab.js': text })

    try {
      const context = await browser.newContext()
      const prefixes = ['tab-0', 'tab-1']
      const pages = await Promise.all(prefixes.map(async () => context.newPage()))
      await Promise.all(pages.map(async page => page.goto(server.url, { waitUntil: 'load' })))
      await Promise.all(pages.map(async (page, i) => work(page, 'add', [prefixes[i]])))

      expect(await work(pages[0], 'read', prefixes)).to.equal(prefixes.length * files)
    } finally {
      server.close()
    }
  })
})
