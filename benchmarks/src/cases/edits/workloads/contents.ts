/**
 * A small file's bytes, other ones for every number.
 */
export function contentOf (index: number, bytes: number): Uint8Array {
  return new TextEncoder().encode(`${index} is in here. `.repeat(Math.ceil(bytes / 14))).subarray(0, bytes)
}

/**
 * A name whose place in the order of names is that of its number.
 */
export function nameOf (index: number): string {
  return `file-${String(index).padStart(8, '0')}.txt`
}

/**
 * Compares what is stored with what was written.
 */
export function assertSame (path: string, actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) !== 0) {
    throw new Error(`${path} was stored with other bytes than it was written with`)
  }
}
