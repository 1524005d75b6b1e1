import { hash } from 'node:crypto'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { block, bytesOf, readBlock } from '../../pack/stores.ts'
import type { PackBlock, PackBlockstore } from '../../../src/pack/index.ts'
import type { TestBlock } from '../../pack/stores.ts'
import type { CID } from 'multiformats/cid'

/** A block of a pool; what it links to stands before it there. */
export interface TreeBlock extends TestBlock {
  /** The places in the pool of all that it reaches, itself included */
  readonly reach: ReadonlySet<number>
  /** 0 for leaves, and one more than the highest of what it links to */
  readonly level: number
}

const leaves = 16
const nodes = 10
// so large that a read of it gives the event loop turns
const largeBytes = 70_000

/** Blocks that link to each other, so that most of them belong to several trees. */
export async function makePool (): Promise<TreeBlock[]> {
  const pool: TreeBlock[] = []

  for (let i = 0; i < leaves; i++) {
    const bytes = bytesOf(i, i === 0 ? largeBytes : 50 + i * 90)
    pool.push({ ...await block(bytes), reach: new Set([i]), level: 0 })
  }

  for (let i = 0; i < nodes; i++) {
    const linked = [i, i * 5 % leaves, leaves - 1 - i, ...i > 2 ? [leaves + i - 3] : [], ...i > 5 ? [leaves + i % 5] : []].map(number => pool[number])
    const bytes = dagCbor.encode({ links: linked.map(({ cid }) => cid), fill: bytesOf(i, i * 100) })
    pool.push({
      ...await block(bytes, dagCbor.code),
      reach: new Set([pool.length, ...linked.flatMap(({ reach }) => [...reach])]),
      level: 1 + Math.max(...linked.map(({ level }) => level))
    })
  }

  return pool
}

/** The places of the blocks that are a tree's root */
export const treeNumbers: readonly number[] = Array.from({ length: nodes }, (_, i) => leaves + i)

export function linksOf ({ cid, bytes }: PackBlock): CID[] {
  return cid.code === dagCbor.code ? dagCbor.decode<{ links: CID[] }>(bytes).links : []
}

/** Reads all that a block reaches, compares it with its CIDs, and answers how many blocks it is. It may pause before each. */
export async function readTree (store: PackBlockstore, root: CID, pause?: () => Promise<void>): Promise<number> {
  const seen = new Set<string>()
  const open = [root]

  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    if (!seen.has(String(cid))) {
      seen.add(String(cid))
      await pause?.()
      const bytes = await readBlock(store, cid)
      expect(hash('sha256', bytes, 'hex')).to.equal(Buffer.from(cid.multihash.digest).toString('hex'))
      open.push(...linksOf({ cid, bytes }))
    }
  }

  return seen.size
}
