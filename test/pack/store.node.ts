import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { PackBlockstore } from '../../src/pack/index.ts'
import { expectBlocks } from './expect-blocks.ts'
import { block, blocks, bytesOf, Directories, putAll, readBlock, withStore } from './stores.ts'

describe('the pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('reads what was put, in the same session and after reopening', async () => {
    const directory = await directories.make()
    const put = [...await blocks(50, 100), ...await blocks(3, 2 ** 21, 1_000), await block(new Uint8Array(0))]

    await withStore(directory, {}, async store => {
      await putAll(store, put)
      await expectBlocks(store, put)
    })

    await withStore(directory, {}, async store => {
      await expectBlocks(store, put)

      expect(await all(store.getAll())).to.have.lengthOf(put.length)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('allocates no write buffer when only read', async () => {
    const [made, copies] = [await directories.make(), await directories.make()]
    const { cid, bytes } = await block(bytesOf(1, 100))
    await withStore(made, {}, async store => store.put(cid, bytes))
    const stores = Array.from({ length: 40 }, (_, i) => new PackBlockstore(join(copies, `${i}`)))
    await Promise.all(stores.map(async ({ path }) => cp(made, path, { recursive: true })))
    const before = process.memoryUsage().arrayBuffers

    for (const store of stores) {
      await store.open()
      expect(await readBlock(store, cid)).to.deep.equal(bytes)
    }

    // each that is put to has 4 MiB; what other tests left may go meanwhile
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(40 * 2 ** 20)
    await Promise.all(stores.map(async store => store.close()))
  })

  it('keeps blocks across many segments', async () => {
    const directory = await directories.make()
    const put = await blocks(200, 1_000)
    const options = { segmentBytes: 10_000 }

    await withStore(directory, options, async store => {
      await Promise.all(put.map(async ({ cid, bytes }) => store.put(cid, bytes)))
    })

    await withStore(directory, options, async store => {
      await expectBlocks(store, put)

      const verified = await store.verify()
      expect(verified.problems).to.deep.equal([])
      expect(verified.blocks).to.equal(200)
    })
  })

  it('publishes roots by compare and set', async () => {
    const directory = await directories.make()
    const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)]

    await withStore(directory, {}, async store => {
      expect(await store.roots.compareAndSet('main', undefined, one)).to.equal(true)
      expect(await store.roots.compareAndSet('main', undefined, two)).to.equal(false)
      expect(await store.roots.compareAndSet('main', one, two)).to.equal(true)
    })

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(two)
      expect(await all(store.roots.names())).to.deep.equal(['main'])
    })
  })

  it('refuses a second writer, and shows each commit to readers', async () => {
    const directory = await directories.make()
    const [first] = await blocks(1, 100)

    await withStore(directory, {}, async store => {
      await expect(new PackBlockstore(directory).open()).to.eventually.be.rejected.with.property('name', 'StoreLockedError')

      await withStore(directory, { readonly: true }, async reader => {
        expect(await reader.has(first.cid)).to.equal(false)
        await store.put(first.cid, first.bytes)
        await store.roots.compareAndSet('main', undefined, first.cid.bytes)
        expect(await reader.roots.get('main')).to.deep.equal(first.cid.bytes)
        expect(await readBlock(reader, first.cid)).to.deep.equal(first.bytes)
      })
    })
  })

  it('forgets deleted blocks permanently', async () => {
    const directory = await directories.make()
    const [gone, back] = await blocks(2, 100)

    await withStore(directory, {}, async store => {
      await store.put(gone.cid, gone.bytes)
      await store.put(back.cid, back.bytes)
      await store.delete(gone.cid)
      await store.delete(back.cid)
      await store.put(back.cid, back.bytes)
    })

    await withStore(directory, {}, async store => {
      expect(await store.has(gone.cid)).to.equal(false)
      expect(await readBlock(store, back.cid)).to.deep.equal(back.bytes)
    })
  })

  it('frees the space of unreachable blocks', async () => {
    const directory = await directories.make()
    const [leaf, ...dead] = await blocks(100, 1_000)
    const parent = await block(bytesOf(7, 50), 0x71)

    await withStore(directory, { segmentBytes: 20_000 }, async store => {
      await putAll(store, [leaf, ...dead, parent])
      await store.roots.compareAndSet('main', undefined, parent.cid.bytes)
      const late = await block(bytesOf(99, 10))
      await store.put(late.cid, late.bytes)
      const collected = await store.gc({ roots: [parent.cid], links: () => [leaf.cid] })

      expect(collected).to.deep.equal({ reached: 2, freedBlocks: 99, freedBytes: 99_000 })
      expect(await readBlock(store, leaf.cid)).to.deep.equal(leaf.bytes)
      expect(await readBlock(store, late.cid)).to.deep.equal(late.bytes)
      expect(await store.has(dead[0].cid)).to.equal(false)
      expect((await store.verify()).problems).to.deep.equal([])
    })

    await withStore(directory, {}, async store => {
      expect(await all(store.getAll())).to.have.lengthOf(3)
    })
  })

  it('frees the space of deleted blocks', async () => {
    const directory = await directories.make()
    const put = await blocks(100, 1_000)

    await withStore(directory, { segmentBytes: 20_000 }, async store => {
      await putAll(store, put)

      for (const { cid } of put.slice(10)) {
        await store.delete(cid)
      }

      await store.compact()
      expect((await store.verify()).bytes).to.be.below(20_000)

      await expectBlocks(store, put.slice(0, 10))
    })

    await withStore(directory, {}, async store => {
      expect(await all(store.getAll())).to.have.lengthOf(10)
    })
  })
})
