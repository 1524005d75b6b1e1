import { CID } from 'multiformats/cid'
import { readTree } from './trees.ts'
import type { PackBlockstore } from '../../../src/pack/index.ts'

/** The names that trees are published by */
export const names = ['a', 'b', 'c'] as const

export type Name = typeof names[number]

const numberBytes = 4

/** What a name is set to: a tree's root, and a number that no other value has. */
export function encodeValue (number: number, root: CID): Uint8Array {
  const value = new Uint8Array(numberBytes + root.bytes.byteLength)
  new DataView(value.buffer).setUint32(0, number)
  value.set(root.bytes, numberBytes)

  return value
}

export function rootOf (value: Uint8Array): CID {
  return CID.decode(value.subarray(numberBytes))
}

export function isSameValue (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}

/**
 * Reads the tree of a name in full, and answers how many blocks it has. It may be gone only where the name stands for something
 * else by then: it is read anew, until a tree was read that was published all the while.
 */
export async function readPublished (store: PackBlockstore, name: Name, pause?: () => Promise<void>): Promise<number> {
  for (let value = await store.roots.get(name); value !== undefined;) {
    try {
      return await readTree(store, rootOf(value), pause)
    } catch (err) {
      const next = await store.roots.get(name)

      if (!(err instanceof Error) || err.name !== 'NotFoundError' || isSameValue(value, next)) {
        throw err
      }

      value = next
    }
  }

  return 0
}
