import { expect } from 'aegir/chai'
import { runSuite } from './run-suite.ts'
import type { Counts } from './counts.ts'

describe('a run of a suite', () => {
  let lines: string[]

  beforeEach(() => {
    lines = []
  })

  async function run (script: string, lingerMs?: number): Promise<Counts> {
    return runSuite({ command: process.execPath, args: ['-e', script] }, {}, line => { lines.push(line) }, lingerMs)
  }

  it('passes on what its runner prints, and counts its tests', async () => {
    expect(await run("console.log('  3 passing (5s)\\n  1 pending')")).to.deep.equal({ passed: 3, failed: 0, skipped: 1 })
    expect(lines).to.deep.equal(['  3 passing (5s)', '  1 pending'])
  })

  it('counts a runner that fails without a failed test as a failure', async () => {
    expect(await run("console.log('  3 passing (5s)'); process.exitCode = 1")).to.deep.equal({ passed: 3, failed: 1, skipped: 0 })
  })

  it('counts a runner that has executed no test as a failure', async () => {
    expect(await run('')).to.deep.equal({ passed: 0, failed: 1, skipped: 0 })
    expect(lines).to.deep.equal(['No test was executed.'])
  })

  it('ends a runner that does not end by itself, and counts that as a failure', async () => {
    expect(await run("console.log('  3 passing (5s)'); setInterval(() => {}, 1_000)", 100)).to.deep.equal({ passed: 3, failed: 1, skipped: 0 })
    expect(lines.at(-1)).to.equal('Ended, for 0.1 s after its totals it was still there: a test left something open.')
  })
})
