import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CarBlockIterator } from '@ipld/car/iterator'
import { CarReader } from '@ipld/car/reader'
import { expect } from 'aegir/chai'
import { MemoryDatastore } from 'datastore-core'
import { createHeliaLight } from 'helia'
import { interfaceBlockstoreTests } from 'interface-blockstore-tests'
import { PackBlockstore } from '../../src/pack/index.ts'
import { fileSystemSuite } from '../fs/suite.ts'
import { rootStoreSuite } from '../roots/suite.ts'
import { block, blocks, bytesOf, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { OpenStore } from '../fs/suite.ts'

async function openPack (): Promise<PackBlockstore> {
  const store = new PackBlockstore(await mkdtemp(join(tmpdir(), 'dagfs-pack-')))
  await store.open()

  return store
}

async function removePack (store: PackBlockstore): Promise<void> {
  await store.close()
  await rm(store.path, { recursive: true })
}

describe('PackBlockstore, as a blockstore', () => {
  interfaceBlockstoreTests({ setup: openPack, teardown: removePack })
})

fileSystemSuite('PackBlockstore', async (): Promise<OpenStore> => {
  const blockstore = await openPack()

  return { blockstore, close: async () => removePack(blockstore) }
})

fileSystemSuite('Helia over PackBlockstore', async (): Promise<OpenStore> => {
  const blockstore = await openPack()
  const helia = createHeliaLight({ blockstore, datastore: new MemoryDatastore() })

  return {
    blockstore: helia.blockstore,
    async close () {
      await helia.stop()
      await removePack(blockstore)
    }
  }
})

rootStoreSuite('a pack store', async () => {
  const store = await openPack()

  return { roots: store.roots, others: store.roots, close: async () => removePack(store) }
})

describe('a pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('consists of segments that @ipld/car reads completely', async () => {
    const directory = await directories.make()
    const put = [...await blocks(200, 500), await block(bytesOf(1, 2 ** 21)), await block(bytesOf(2, 10), 0x71), await block(bytesOf(3, 10), 0x0129)]
    await withStore(directory, { segmentBytes: 20_000 }, async store => {
      await putAll(store, put)
      await store.delete(put[0].cid)
      await store.roots.compareAndSet('main', undefined, put[1].cid.bytes)
    })
    const segments = (await readdir(directory)).filter(name => name.endsWith('.car'))
    const found = new Map<string, Uint8Array>()
    expect(segments).to.have.lengthOf.above(5)

    for (const name of segments) {
      const reader = await CarReader.fromIterable(createReadStream(join(directory, name)))
      const [root] = await reader.getRoots()
      expect(await reader.has(root)).to.equal(true)

      for await (const { cid, bytes } of await CarBlockIterator.fromIterable(createReadStream(join(directory, name)))) {
        found.set(String(cid), bytes)
        expect((await reader.get(cid))?.bytes).to.deep.equal(bytes)
      }
    }

    for (const { cid, bytes } of put) {
      expect(Buffer.compare(found.get(String(cid)) ?? new Uint8Array(1), bytes)).to.equal(0)
    }
  })

  it('works with Helia: put, pin, collect and read again', async () => {
    const directory = await directories.make()
    const [kept, dropped] = await blocks(2, 500)

    await withStore(directory, {}, async blockstore => {
      const helia = createHeliaLight({ blockstore, datastore: new MemoryDatastore() })
      await helia.start()
      await helia.blockstore.put(kept.cid, kept.bytes)
      await helia.blockstore.put(dropped.cid, dropped.bytes)

      for await (const cid of helia.pins.add(kept.cid)) {
        expect(cid.equals(kept.cid)).to.equal(true)
      }

      await helia.gc()
      expect(await helia.blockstore.has(dropped.cid)).to.equal(false)
      await helia.stop()
    })

    await withStore(directory, {}, async blockstore => {
      const helia = createHeliaLight({ blockstore, datastore: new MemoryDatastore() })
      expect(await readBlock(helia.blockstore, kept.cid)).to.deep.equal(kept.bytes)
      expect(await blockstore.has(dropped.cid)).to.equal(false)
      await helia.stop()
    })
  })
})
