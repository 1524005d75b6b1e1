import { areEqualBytes } from '../bytes.ts'

/**
 * Whether two records are equal byte by byte. No record equals no record alone.
 */
export function isSameRecord (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b
  }

  return areEqualBytes(a, b)
}
