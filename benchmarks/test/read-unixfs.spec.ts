import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as dagPb from '@ipld/dag-pb'
import { MemoryBlockstore } from 'blockstore-core'
import { UnixFS } from 'ipfs-unixfs'
import { importer } from 'ipfs-unixfs-importer'
import toBuffer from 'it-to-buffer'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { checkedBlocks, readUnixfs } from '../src/contenders/read-unixfs.ts'
import type { StoredEntry } from '../src/contenders/index.ts'

const names = ['a', '\ufeffa', '\ufeff', 'a\ufeff']

describe('reading a UnixFS directory back', () => {
  for (const [kind, shardSplitThresholdBytes] of [['in one block', 2 ** 18], ['in shards', 0]] as const) {
    it(`preserves names with a leading U+FEFF of a directory ${kind}`, async () => {
      const blockstore = new MemoryBlockstore()
      const source = names.map(name => ({ path: `sub/${name}`, content: new TextEncoder().encode(name) }))
      let root: CID | undefined

      for await (const { cid } of importer(source, blockstore, { wrapWithDirectory: true, shardSplitThresholdBytes })) {
        root = cid
      }

      assert.deepEqual((await pathsOf(root, blockstore)).sort(), ['sub', ...names.map(name => `sub/${name}`)].sort())
    })
  }

  it('preserves a link target with a leading U+FEFF', async () => {
    const blockstore = new MemoryBlockstore()
    const Data = new UnixFS({ type: 'symlink', data: new TextEncoder().encode('\ufefftarget') }).marshal()
    const link = await putNode(blockstore, { Data, Links: [] })
    const root = await putNode(blockstore, { Data: new UnixFS({ type: 'directory' }).marshal(), Links: [{ Name: 'link', Hash: link, Tsize: 1 }] })
    const [entry] = await entriesOf(root, blockstore)

    assert.deepEqual(entry, { path: 'link', kind: 'link', target: '\ufefftarget' })
  })
})

async function putNode (blockstore: MemoryBlockstore, node: dagPb.PBNode): Promise<CID> {
  const bytes = dagPb.encode(node)

  return blockstore.put(CID.createV1(dagPb.code, await sha256.digest(bytes)), bytes)
}

async function entriesOf (root: CID | undefined, blockstore: MemoryBlockstore): Promise<StoredEntry[]> {
  assert.ok(root != null)

  const entries: StoredEntry[] = []

  for await (const entry of readUnixfs(root, checkedBlocks(async cid => toBuffer(blockstore.get(cid))))) {
    entries.push(entry)
  }

  return entries
}

async function pathsOf (root: CID | undefined, blockstore: MemoryBlockstore): Promise<string[]> {
  return (await entriesOf(root, blockstore)).map(({ path }) => path)
}
