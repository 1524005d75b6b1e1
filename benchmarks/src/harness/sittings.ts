import { randomUUID } from 'node:crypto'
import type { Journal } from './journal.ts'

interface Kept {
  readonly sitting: string
  readonly result: unknown
}

/**
 * Returns a journal that keeps with each part in which sitting it was measured, and in how many those were that it has given back, or that are
 * measured now. A resumed run has parts of several, between which the machine may have changed.
 */
export function withSittings (journal: Journal, own: string = randomUUID()): { readonly journal: Journal, count(): number } {
  const sittings = new Map<string, string>()

  return {
    journal: {
      find (key) {
        // kept by nobody else
        const kept = journal.find(key) as Kept | undefined

        sittings.set(key, kept?.sitting ?? own)

        return kept?.result
      },
      async keep (key, result) {
        sittings.set(key, own)
        await journal.keep(key, { sitting: own, result } satisfies Kept)
      }
    },
    count: () => new Set(sittings.values()).size
  }
}
