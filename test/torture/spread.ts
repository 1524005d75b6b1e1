/**
 * A number from 1 to `total` for each index: all of them in any `total` indexes that follow each other, and those that
 * follow each other far apart, so that a few cases are spread as well as many.
 */
export function spread (index: number, total: number): number {
  let step = Math.max(1, Math.round(total * 0.618))

  while (divisor(step, total) !== 1) {
    step++
  }

  return 1 + (index * step) % total
}

function divisor (a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
