import { expect } from 'aegir/chai'
import { readBlock } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { Blockstore } from 'interface-blockstore'

/** Requires that a store has the bytes of every one of some blocks. */
export async function expectBlocks (store: Pick<Blockstore, 'get'>, blocks: Iterable<TestBlock>): Promise<void> {
  for (const { cid, bytes } of blocks) {
    expect(Buffer.compare(await readBlock(store, cid), bytes), String(cid)).to.equal(0)
  }
}
