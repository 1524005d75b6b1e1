import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { inTemporary } from '../pack/in-temporary.ts'
import { commitOf } from './commit.ts'
import { showTable, tortureParts } from './run-parts.ts'
import { newState, writeState } from './state.ts'
import type { Order } from './run-parts.ts'

const order = { names: ['bombs'], count: 1, only: undefined, hasSeed: false, isFresh: false, print () {} }

describe('the saved state of torture', function () {
  this.timeout(60_000)

  it('resumes on its commit', async () => {
    await inTemporary(async folder => {
      const same: Order = { ...order, folder }
      writeState(folder, { ...newState('bombs', 1, commitOf(import.meta.dirname)), cases: 1, units: 1 })

      expect(await tortureParts(same)).to.equal(true)
      expect(showTable(folder)).to.include('| 1 |')
    })
  })

  it('does not resume on another commit unless restarted', async () => {
    await inTemporary(async folder => {
      writeState(folder, { ...newState('bombs', 1, 'another'), violations: 1 })

      await expect(tortureParts({ ...order, folder })).to.eventually.be.rejectedWith('ran on another')
      expect(showTable(folder)).to.include('| another |')
      expect(await tortureParts({ ...order, folder, isFresh: true })).to.equal(true)
      expect(showTable(folder)).to.not.include('another')
    })
  })

  it('names the commit, with a mark if files changed', async () => {
    await inTemporary(async directory => {
      const git = (...args: string[]): string => execFileSync('git', ['-C', directory, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
      expect(commitOf(directory)).to.equal(undefined)
      git('init')
      await writeFile(join(directory, 'package.json'), '{}')
      git('add', 'package.json')
      git('commit', '--message', 'first')
      const commit = commitOf(directory)
      expect(git('rev-parse', 'HEAD').startsWith(commit ?? 'none')).to.equal(true)

      await writeFile(join(directory, 'README.md'), 'figures')
      expect(commitOf(directory)).to.equal(commit)
      await writeFile(join(directory, 'package.json'), '{ }')
      const changed = commitOf(directory)
      expect(changed).to.match(new RegExp(`^${commit}\\+[0-9a-f]{8}$`))
      git('mv', 'package.json', 'package-lock.json')
      expect(commitOf(directory)).to.not.be.oneOf([commit, changed])
    })
  })
})
