import { inspect } from 'node:util'
import { caseOf } from './part.ts'
import type { Cases, Outcome } from './part.ts'

/** A case that found something, and how to see it again */
export class Violation extends Error {
  override readonly name = 'Violation'

  constructor (part: string, seed: number, number: number, cause: unknown) {
    const what = cause instanceof Error ? cause.stack ?? cause.message : String(cause)
    // an assertion's message has the beginning alone
    const found = cause instanceof Error && 'actual' in cause ? `\nFound: ${inspect(cause.actual, { depth: 4 })}` : ''
    super(`${what}${found}\nTo see it again: npm run torture -- ${part} --only ${number} --seed ${seed}`, { cause })
  }
}

/** Runs one case of a part. */
export async function runCase (part: string, cases: Cases, seed: number, number: number): Promise<Required<Outcome>> {
  try {
    const { units = 1, worst = {} } = await cases.run(caseOf(seed, number)) ?? {}

    return { units, worst }
  } catch (err) {
    throw new Violation(part, seed, number, err)
  }
}
