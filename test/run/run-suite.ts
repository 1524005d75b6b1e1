import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { mochaCounts } from './counts.ts'
import type { Counts } from './counts.ts'
import type { Suite } from './suites.ts'

// a test that never yields cannot be ended by the runner's own time limit
const suiteTimeoutMs = 30 * 60_000

/**
 * Runs one suite, passes on each line that it prints, and counts its tests. A runner that fails without a failed test, or ends without
 * having executed any, counts as one failure: it may have crashed before the test that would have failed.
 */
export async function runSuite (suite: Suite, env: Record<string, string>, print: (line: string) => void): Promise<Counts> {
  const keepColours = process.stdout.isTTY && process.env.NO_COLOR === undefined
  let output = ''

  const running = execa(suite.command, suite.args, {
    env,
    preferLocal: true,
    reject: false,
    stdin: 'ignore',
    all: true,
    buffer: false,
    timeout: suiteTimeoutMs
  })

  for await (const line of running.iterable({ from: 'all' })) {
    const plain = stripVTControlCharacters(line)
    output += `${plain}\n`
    print(keepColours ? line : plain)
  }

  const { exitCode, timedOut } = await running
  const counts = mochaCounts(output) ?? { passed: 0, failed: 0, skipped: 0 }
  const isEmpty = counts.passed + counts.failed === 0

  if (timedOut) {
    print(`Ended after ${suiteTimeoutMs / 60_000} minutes.`)
  } else if (isEmpty) {
    print('No test was executed.')
  }

  return isEmpty || (exitCode !== 0 && counts.failed === 0) ? { ...counts, failed: counts.failed + 1 } : counts
}
