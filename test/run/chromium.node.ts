import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { chromium } from 'playwright-core'
import { findChromium, playwrightEnv } from './chromium.ts'

describe('finding a Chromium', () => {
  let directory: string

  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-chromium-'))
  })

  afterEach(() => {
    fs.rmSync(directory, { recursive: true, force: true })
  })

  function executable (name: string): string {
    const file = path.join(directory, name)
    fs.writeFileSync(file, '', { mode: 0o755 })

    return file
  }

  it('takes the one that CHROMIUM_PATH names before that of the system', () => {
    executable('chromium')
    const given = executable('my-chromium')

    expect(findChromium({ CHROMIUM_PATH: given, PATH: directory })).to.equal(given)
  })

  it('refuses a CHROMIUM_PATH that is no executable', () => {
    const given = path.join(directory, 'absent')

    expect(() => findChromium({ CHROMIUM_PATH: given, PATH: directory })).to.throw(`CHROMIUM_PATH is ${given}, which is not an executable`)
  })

  it('takes that of the system', () => {
    const found = executable('google-chrome')

    expect(findChromium({ PATH: directory })).to.equal(found)
  })

  it('takes what Playwright has downloaded, and nothing else, where the system has none', () => {
    const downloaded = chromium.executablePath()

    expect(findChromium({ PATH: directory })).to.equal(fs.existsSync(downloaded) ? downloaded : undefined)
  })

  it('keeps Playwright from downloading another one', () => {
    const env = playwrightEnv('/usr/bin/chromium', directory)
    const installed = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('INSTALLATION_COMPLETE'))

    expect(env).to.deep.equal({ CHROMIUM_PATH: '/usr/bin/chromium', PLAYWRIGHT_BROWSERS_PATH: directory })
    expect(installed.map(file => file.split('-')[0]).sort()).to.deep.equal(['chromium_headless_shell', 'ffmpeg'])
  })
})
