import { expect } from 'aegir/chai'
import { runSuite } from './run-suite.ts'
import type { SuiteResult } from './run-suite.ts'

describe('a run of a suite', () => {
  let lines: string[]

  beforeEach(() => {
    lines = []
  })

  async function run (script: string, lingerMs?: number): Promise<SuiteResult> {
    return runSuite({ command: process.execPath, args: ['-e', script] }, {}, line => { lines.push(line) }, lingerMs)
  }

  it('passes on the output of its runner, and counts its tests', async () => {
    expect(await run("console.log('  3 passing (5s)\\n  1 pending')")).to.deep.equal({ counts: { passed: 3, failed: 0, skipped: 1 }, failures: [] })
    expect(lines).to.deep.equal(['  3 passing (5s)', '  1 pending'])
  })

  it('returns the report of its failed tests', async () => {
    const { counts, failures } = await run("console.log('  3 passing (5s)\\n  1 failing\\n\\n  1) a test'); process.exitCode = 1")

    expect(counts).to.deep.equal({ passed: 3, failed: 1, skipped: 0 })
    expect(failures).to.deep.equal(['  1 failing', '', '  1) a test'])
  })

  it('counts a runner that fails without a failed test as a failure', async () => {
    expect(await run("console.log('  3 passing (5s)'); process.exitCode = 1")).to.deep.equal({ counts: { passed: 3, failed: 1, skipped: 0 }, failures: ['It ended with exit code 1, though no test failed.'] })
  })

  it('counts a runner that executed no test as a failure', async () => {
    expect((await run('')).counts).to.deep.equal({ passed: 0, failed: 1, skipped: 0 })
    expect(lines).to.deep.equal(['No test was executed.'])
  })

  it('ends a runner that hangs, and counts that as a failure', async () => {
    expect((await run("console.log('  3 passing (5s)'); setInterval(() => {}, 1_000)", 100)).counts).to.deep.equal({ passed: 3, failed: 1, skipped: 0 })
    expect(lines.at(-1)).to.equal('Ended, for 0.1 s after its totals it was still there: a test left something open.')
  })
})
