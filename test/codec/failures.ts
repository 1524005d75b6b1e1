import type { Kind } from './dag-cbor-twin.ts'

/**
 * Blocks that random tests have found to be treated wrongly, shrunk. They are tried before new ones are looked for.
 */
export const failures: ReadonlyArray<{ kind: Kind, hex: string, why: string }> = [
]
