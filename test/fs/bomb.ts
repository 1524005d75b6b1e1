import { MemoryBlockstore } from 'blockstore-core'
import { createBlock, dagCborCode, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { dagfs } from '../../src/index.ts'
import type { ReadonlyDagFs } from '../../src/index.ts'

/** A tree of a block for each level and one more: every directory has all names, which lead to the same one below. */
export async function bomb (levels: number, names: readonly string[] = ['a', 'b']): Promise<ReadonlyDagFs> {
  const store = new MemoryBlockstore()
  let block = await createBlock(dagCborCode, encodeLeaf([]))
  await store.put(block.cid, block.bytes)

  for (let level = 0; level < levels; level++) {
    const { cid: content } = block
    block = await createBlock(dagCborCode, encodeLeaf(names.map(name => encodeEntry({ name, kind: 'directory', content, size: 0 }))))
    await store.put(block.cid, block.bytes)
  }

  return dagfs({ blockstore: store }).at(block.cid)
}
