import '../seed.ts'

const factor = Number(globalThis.process?.env?.RUNS ?? 1)

if (!Number.isFinite(factor) || factor <= 0) {
  throw new Error('RUNS must be a number above 0')
}

/**
 * How often a random test tries: `RUNS` times as often as is enough for every day.
 */
export function runs (often: number): number {
  return Math.ceil(often * factor)
}

/** Parameters of a fast-check property; the seed is a global one. */
export function parameters (often = 200): { numRuns: number } {
  return { numRuns: runs(often) }
}
