import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { findFirefox } from './firefox.ts'

describe('finding a Firefox', () => {
  let directory: string

  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-firefox-'))
  })

  afterEach(() => {
    fs.rmSync(directory, { recursive: true, force: true })
  })

  function executable (name: string): string {
    const file = path.join(directory, name)
    fs.writeFileSync(file, '', { mode: 0o755 })

    return file
  }

  it('takes the one that FIREFOX_PATH names before that of the system', () => {
    executable('firefox')
    const given = executable('my-firefox')

    expect(findFirefox({ FIREFOX_PATH: given, PATH: directory })).to.equal(given)
  })

  it('refuses a FIREFOX_PATH that is no executable', () => {
    const given = path.join(directory, 'absent')

    expect(() => findFirefox({ FIREFOX_PATH: given, PATH: directory })).to.throw(`FIREFOX_PATH is ${given}, which is not an executable`)
  })

  it('takes that of the system', () => {
    const found = executable('firefox-esr')

    expect(findFirefox({ PATH: directory })).to.equal(found)
  })

  it('finds none where there is none', () => {
    expect(findFirefox({ PATH: directory })).to.equal(undefined)
  })
})
