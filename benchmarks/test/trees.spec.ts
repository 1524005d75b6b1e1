import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import * as dagCbor from '@ipld/dag-cbor'
import { MemoryBlockstore } from 'blockstore-core'
import toBuffer from 'it-to-buffer'
import { CID } from 'multiformats/cid'
import { contenderKeys, contenderOf } from '../src/cases/headers/contenders/index.ts'
import { sourceFile } from '../src/cases/headers/operations/source-files.ts'
import type { Tree } from '../src/trees/tree.ts'

// n - 1, n and n + 1 of a chunk
const SIZES = [2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1]

for (const key of contenderKeys) {
  describe(`trees of ${key}`, () => {
    let tree: Tree

    beforeEach(async () => {
      tree = await (await contenderOf(key).open()).create(new MemoryBlockstore())
    })

    it('return what was written after reopening', async () => {
      await tree.mkdir('/a')

      for (const bytes of SIZES) {
        const file = sourceFile(`/a/${bytes}`, bytes, `of ${bytes}`)

        await tree.write(file.path, file.bytes, file.attributes)
      }

      await tree.commit()

      const stored = await tree.reopen()

      assert.deepEqual((await stored.names('/a')).sort(), SIZES.map(String).sort())

      for (const bytes of SIZES) {
        assert.equal(Buffer.compare(await stored.read(`/a/${bytes}`), sourceFile('', bytes, `of ${bytes}`).bytes), 0)
      }
    })

    it('return the last write to a path', async () => {
      for (const seed of ['first', 'second']) {
        const file = sourceFile('/file', 5_000, seed)

        await tree.write(file.path, file.bytes, file.attributes)
        await tree.commit()
        tree = await tree.reopen()
      }

      assert.deepEqual(await tree.names('/'), ['file'])
      assert.equal(Buffer.compare(await tree.read('/file'), sourceFile('', 5_000, 'second').bytes), 0)
    })

    it('accept directories with their content, beside existing entries', async () => {
      const before = sourceFile('/there', 3_000, 'there')

      await tree.write(before.path, before.bytes, before.attributes)
      await tree.commit()
      tree = await tree.reopen()
      await tree.copyIn('/in', [sourceFile('b/one', 3_000, 'one'), sourceFile('c/two', 3_000, 'two')])
      await tree.commit()

      const stored = await tree.reopen()

      assert.deepEqual((await stored.names('/')).sort(), ['in', 'there'])
      assert.deepEqual((await stored.names('/in')).sort(), ['b', 'c'])
      assert.equal(Buffer.compare(await stored.read('/in/c/two'), sourceFile('', 3_000, 'two').bytes), 0)
    })

    it('refuse a missing path', async () => {
      await tree.commit()

      const stored = await tree.reopen()

      await assert.rejects(async () => stored.read('/nothing'))
    })
  })
}

describe('headers', () => {
  async function written (key: string): Promise<{ store: MemoryBlockstore, header: Record<string, unknown>, file: Record<string, unknown> }> {
    const store = new MemoryBlockstore()
    const tree = await (await contenderOf(key).open()).create(store)
    const decode = async (cid: unknown): Promise<Record<string, unknown>> => dagCbor.decode(await toBuffer(store.get(CID.asCID(cid) as CID)))

    for (const seed of ['first', 'second']) {
      const { path, bytes, attributes } = sourceFile('/file', 2 ** 20 + 1, seed, seed === 'first' ? 0 : 60)

      await tree.write(path, bytes, attributes)
      await tree.commit()
    }

    const header = await decode(CID.parse(await tree.commit()))

    return { store, header, file: await decode((await decode(header.userland)).file) }
  }

  it('link to the previous version', async () => {
    const { header, file } = await written('headers-cbor')

    assert.ok(CID.asCID(header.previous) != null)
    assert.ok(CID.asCID(file.previous) != null)
  })

  it('have metadata in a separate block or inlined, but equal', async () => {
    const [own, inlined] = [await written('headers-cbor'), await written('headers-inlined')]
    const cid = CID.asCID(own.file.metadata)

    assert.ok(cid != null)
    assert.deepEqual(dagCbor.decode(await toBuffer(own.store.get(cid))), inlined.file.metadata)
    assert.deepEqual(inlined.file.metadata, {
      unixMeta: { mtime: 1638316860, ctime: 1638316800, mode: 0o644, type: 'file' }, isFile: true, version: '1.0.0', size: 2 ** 20 + 1
    })
  })

  it('have the same content as dagfs', async () => {
    const { store, file } = await written('headers-inlined')
    const blockstore = new MemoryBlockstore()
    const tree = await (await contenderOf('dagfs').open()).create(blockstore)

    await tree.write('/file', sourceFile('', 2 ** 20 + 1, 'second').bytes)
    await tree.commit()

    const userland = CID.asCID(file.userland)

    assert.ok(userland != null)
    assert.deepEqual(await toBuffer(blockstore.get(userland)), await toBuffer(store.get(userland)))
  })
})
