import type { RefsResult } from 'kubo-rpc-client'

/**
 * Collects what Kubo lists, and throws what it reports on the way.
 */
export async function collectRefs (refs: AsyncIterable<RefsResult>): Promise<Set<string>> {
  const collected = new Set<string>()

  for await (const { ref, err } of refs) {
    // Kubo's own type of this is a text, empty where all is well
    if (err != null && String(err) !== '') {
      throw new Error(String(err))
    }

    collected.add(ref)
  }

  return collected
}
