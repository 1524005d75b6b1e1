import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { createBlock, dagCborCode, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { dagfs } from '../../src/index.ts'
import type { BlockStore, ReadonlyDagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

/** A tree of a block for each level and one more: every directory has all names, which lead to the same one below. */
export async function bomb (levels: number, names: readonly string[] = ['a', 'b']): Promise<ReadonlyDagFs> {
  const store = new MemoryBlockstore()

  return dagfs({ blockstore: store }).at(await putBomb(store, levels, { names }))
}

/** Puts such a tree into a store, with a file of some content in each of the lowest directories where that is given. */
export async function putBomb (store: BlockStore, levels: number, { names = ['a', 'b'], content = '' }: { names?: readonly string[], content?: string } = {}): Promise<CID> {
  const bytes = new TextEncoder().encode(content)
  let size = bytes.byteLength
  let block = await createBlock(dagCborCode, encodeLeaf(size === 0 ? [] : [encodeEntry({ name: 'f', kind: 'file', content: bytes, size })]))
  await store.put(block.cid, block.bytes)

  for (let level = 0; level < levels; level++) {
    const below = { kind: 'directory', content: block.cid, size } as const
    const entries = names.map(name => encodeEntry({ ...below, name }))
    block = await createBlock(dagCborCode, encodeLeaf(entries))
    size *= names.length
    await store.put(block.cid, block.bytes)
  }

  return block.cid
}

/** Puts a directory of stored directories, in the order of their names. */
export async function putNamed (store: BlockStore, directories: Readonly<Record<string, CID>>): Promise<CID> {
  const view = dagfs({ blockstore: store })
  const entries = await Promise.all(Object.entries(directories).map(async ([name, content]) => {
    const below = await all(view.at(content).ls())

    return encodeEntry({ name, kind: 'directory', content, size: below.reduce((sum, { size }) => sum + size, 0) })
  }))
  const block = await createBlock(dagCborCode, encodeLeaf(entries))
  await store.put(block.cid, block.bytes)

  return block.cid
}
