import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { mochaCounts, mochaFailures } from './counts.ts'
import type { Counts } from './counts.ts'
import type { Suite } from './suites.ts'

// a test that never yields cannot be ended by the runner's own time limit
const suiteTimeoutMs = 30 * 60_000
// a runner waits for what a test left open, a process of its own for instance
const defaultLingerMs = 60_000

/** How a suite ended, and the lines that tell of what failed in it. */
export interface SuiteResult {
  readonly counts: Counts
  readonly failures: readonly string[]
}

/**
 * Runs one suite, passes on each line that it prints, and counts its tests. A runner that fails without a failed test, ends without
 * having executed any, or does not end by itself within `lingerMs` of its totals, counts as one failure: it may have crashed before
 * the test that would have failed.
 */
export async function runSuite (suite: Suite, env: Record<string, string>, print: (line: string) => void, lingerMs = defaultLingerMs): Promise<SuiteResult> {
  const keepColours = process.stdout.isTTY && process.env.NO_COLOR === undefined
  const lingering = new AbortController()
  let output = ''
  let timer: NodeJS.Timeout | undefined

  const running = execa(suite.command, suite.args, {
    env,
    preferLocal: true,
    reject: false,
    stdin: 'ignore',
    all: true,
    buffer: false,
    timeout: suiteTimeoutMs,
    cancelSignal: lingering.signal
  })

  for await (const line of running.iterable({ from: 'all' })) {
    const plain = stripVTControlCharacters(line)
    output += `${plain}\n`
    print(keepColours ? line : plain)

    if (mochaCounts(plain) !== undefined) {
      clearTimeout(timer)
      timer = setTimeout(() => { lingering.abort() }, lingerMs)
    }
  }

  const { exitCode, timedOut, isCanceled } = await running
  clearTimeout(timer)
  const counts = mochaCounts(output) ?? { passed: 0, failed: 0, skipped: 0 }
  const isEmpty = counts.passed + counts.failed === 0
  const fault = faultOfRunner()

  if (fault !== undefined) {
    print(fault)
  }

  return {
    counts: isEmpty || (exitCode !== 0 && counts.failed === 0) ? { ...counts, failed: counts.failed + 1 } : counts,
    failures: [...mochaFailures(output), ...(fault === undefined ? [] : [fault])]
  }

  function faultOfRunner (): string | undefined {
    if (timedOut) {
      return `Ended after ${suiteTimeoutMs / 60_000} minutes.`
    }

    if (isCanceled) {
      return `Ended, for ${lingerMs / 1_000} s after its totals it was still there: a test left something open.`
    }

    if (isEmpty) {
      return 'No test was executed.'
    }

    return exitCode !== 0 && counts.failed === 0 ? `It ended with exit code ${exitCode}, though no test failed.` : undefined
  }
}
