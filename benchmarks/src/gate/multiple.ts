/**
 * Adjusts the probabilities of tests that are made together, by Holm's method:
 * where one that is at most α counts, the chance that any of them does so
 * without a cause is at most α.
 */
export function holm (probabilities: readonly number[]): number[] {
  const order = probabilities.map((_, index) => index).sort((a, b) => probabilities[a] - probabilities[b])
  const adjusted = new Array<number>(probabilities.length).fill(1)
  let largest = 0

  for (const [place, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, probabilities[index] * (probabilities.length - place)))
    adjusted[index] = largest
  }

  return adjusted
}
