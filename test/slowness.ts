// what the reference work takes on the machine that the limits of tests were set on
const referenceMs = 5
const steps = 2 ** 20
const tries = 5

/**
 * How many times slower this machine is now than the one that limits of time were set on, and at least 1. A limit is multiplied by
 * it: the machines that test are of many kinds, and do other work at once.
 */
export function slowness (): number {
  return Math.max(1, Math.min(...Array.from({ length: tries }, takenMs)) / referenceMs)
}

function takenMs (): number {
  const start = performance.now()
  let state = 1

  for (let step = 0; step < steps; step++) {
    state = Math.imul(state ^ (state >>> 15), state | 1) + step
  }

  // NaN for no number: the work is not left out
  return performance.now() - start + (Number.isNaN(state) ? 1 : 0)
}
