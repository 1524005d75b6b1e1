import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { chromium } from 'playwright-core'
import { findChromium, playwrightEnv } from './chromium.ts'
import { findFirefox } from './firefox.ts'

describe('finding a browser', () => {
  let directory: string

  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-browser-'))
  })

  afterEach(() => {
    fs.rmSync(directory, { recursive: true, force: true })
  })

  function executable (name: string): string {
    const file = path.join(directory, name)
    fs.writeFileSync(file, '', { mode: 0o755 })

    return file
  }

  function findingSuite (browser: string, find: typeof findFirefox, { variable, first, last }: { readonly variable: string, readonly first: string, readonly last: string }): void {
    it(`takes the ${browser} of ${variable} before that of the system`, () => {
      executable(first)
      const given = executable('my-own')

      expect(find({ [variable]: given, PATH: directory })).to.equal(given)
    })

    it(`refuses a ${variable} that is not executable`, () => {
      const given = path.join(directory, 'absent')

      expect(() => find({ [variable]: given, PATH: directory })).to.throw(`${variable} is ${given}, which is not an executable`)
    })

    it(`takes the ${browser} of the system`, () => {
      const found = executable(last)

      expect(find({ PATH: directory })).to.equal(found)
    })
  }

  findingSuite('Chromium', findChromium, { variable: 'CHROMIUM_PATH', first: 'chromium', last: 'google-chrome' })
  findingSuite('Firefox', findFirefox, { variable: 'FIREFOX_PATH', first: 'firefox', last: 'firefox-esr' })

  it('finds no Firefox if there is none', () => {
    expect(findFirefox({ PATH: directory })).to.equal(undefined)
  })

  it('falls back only to the Chromium that Playwright has downloaded', () => {
    const downloaded = chromium.executablePath()

    expect(findChromium({ PATH: directory })).to.equal(fs.existsSync(downloaded) ? downloaded : undefined)
  })

  it('prevents Playwright from downloading another browser', () => {
    const env = playwrightEnv('/usr/bin/chromium', directory)
    const installed = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('INSTALLATION_COMPLETE'))

    expect(env).to.deep.equal({ CHROMIUM_PATH: '/usr/bin/chromium', PLAYWRIGHT_BROWSERS_PATH: directory })
    expect(installed.map(file => file.split('-')[0]).sort()).to.deep.equal(['chromium_headless_shell', 'ffmpeg'])
  })
})
