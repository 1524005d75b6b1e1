import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryDatastore } from 'datastore-core'
import { createHeliaLight } from 'helia'
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
