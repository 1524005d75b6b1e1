import { expect } from 'aegir/chai'
import { execa } from 'execa'
import { childFile } from '../child-file.ts'

describe('fs, given a tree of 41 blocks and 2^41 paths', () => {
  it('refuses a recursive readdir with a typed error within 400 MB', async function () {
    this.timeout(150_000)
    const { stdout, isTerminated, exitCode } = await execa(process.execPath, ['--max-old-space-size=400', childFile(import.meta.url, './bomb-child')], { reject: false, timeout: 120_000 })

    expect({ stdout, isTerminated, exitCode }).to.deep.equal({ stdout: 'LimitExceededError', isTerminated: false, exitCode: 0 })
  })
})
