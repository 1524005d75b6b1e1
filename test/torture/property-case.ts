import fc from 'fast-check'
import type { Case } from './part.ts'

/** Tries a property with what a case's number and seed make, and shrinks what fails. */
export async function tryProperty <T> (property: fc.IAsyncProperty<T>, { seed }: Case): Promise<void> {
  // a seed of fast-check is 32 bits with a sign
  await fc.assert(property, { seed: seed | 0, numRuns: 1 })
}
