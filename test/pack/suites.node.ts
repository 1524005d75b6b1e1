import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryDatastore } from 'datastore-core'
import { createHeliaLight } from 'helia'
import { dagfs } from '../../src/index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { fileSystemSuite } from '../fs/suite.ts'
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

describe('roots of dagfs in a pack store', () => {
  it('are durable when a commit says so, and there when it is opened again', async () => {
    const store = await openPack()

    try {
      const fs = dagfs({ blockstore: store }, { name: 'main', roots: store.roots })
      await fs.addAll([{ path: '/hello.txt', content: 'hello' }])
      expect((await fs.commit()).durability).to.equal('commit')
      await store.close()
      await store.open()

      expect(await dagfs({ blockstore: store }, { name: 'main', roots: store.roots }).readFile('/hello.txt', 'utf8')).to.equal('hello')
    } finally {
      await removePack(store)
    }
  })

  it('are not called durable where the store does not sync', async () => {
    const store = new PackBlockstore(await mkdtemp(join(tmpdir(), 'dagfs-pack-')), { durability: 'none' })
    await store.open()

    try {
      expect((await dagfs({ blockstore: store }, { name: 'main', roots: store.roots }).commit()).durability).to.equal('none')
    } finally {
      await removePack(store)
    }
  })
})
