/**
 * Returns an error as one line that a row has room for.
 */
export function describeError (err: unknown): string {
  const text = err instanceof Error ? err.message : String(err)

  return text.trim().split(/\s*\n\s*/).join(' · ')
}
