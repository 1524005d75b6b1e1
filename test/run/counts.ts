/**
 * How many tests a runner has executed, and how they ended.
 */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * Reads the closing lines of mocha's spec reporter, which are the same in Node.js and in a browser. Undefined where they
 * are missing: the runner did not come to its end.
 */
export function mochaCounts (output: string): Counts | undefined {
  const passed = lastCount(output, 'passing')

  if (passed === undefined) {
    return undefined
  }

  return { passed, failed: lastCount(output, 'failing') ?? 0, skipped: lastCount(output, 'pending') ?? 0 }
}

/**
 * The lines in which mocha's spec reporter tells of the tests that failed, behind its totals. None where none failed.
 */
export function mochaFailures (output: string): string[] {
  const lines = output.trimEnd().split('\n')
  const totals = lines.findLastIndex(line => /^ *[1-9]\d* failing *$/.test(line))

  return totals === -1 || mochaCounts(output) === undefined ? [] : lines.slice(totals)
}

function lastCount (output: string, word: string): number | undefined {
  const count = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}(?: \\(.*\\))? *$`, 'gm'))].at(-1)?.[1]

  return count === undefined ? undefined : Number(count)
}

export function addCounts (a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

export function formatCounts ({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
