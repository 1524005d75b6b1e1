import { steps } from './model.ts'
import type { State } from './model.ts'
import type { Operation, Result } from './operations.ts'

/** A call that has ended: when it began and when it ended, on one clock that counts both. */
export interface Event {
  readonly operation: Operation
  readonly began: number
  readonly ended: number
  readonly result: Result
}

/**
 * Whether there is an order of the calls in which each one, done by itself, returns what it returned, and no call comes before one
 * that had ended when it began: J. M. Wing, C. Gong, "Testing and Verifying Concurrent Objects", 1993, with what was tried already
 * left out.
 */
export function isLinearizable (state: State, events: readonly Event[]): boolean {
  const failed = new Set<string>()

  const search = (before: State, rest: readonly Event[]): boolean => {
    if (rest.length === 0) {
      return true
    }

    const key = JSON.stringify([rest.map(({ began }) => began), before])

    if (failed.has(key)) {
      return false
    }

    const firstEnd = Math.min(...rest.map(({ ended }) => ended))

    for (const event of rest.filter(({ began }) => began < firstEnd)) {
      const others = rest.filter(other => other !== event)

      if (steps(before, event.operation).some(([result, after]) => JSON.stringify(result) === JSON.stringify(event.result) && search(after, others))) {
        return true
      }
    }

    failed.add(key)

    return false
  }

  return search(state, events)
}
