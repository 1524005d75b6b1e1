import { MemoryBlockstore } from 'blockstore-core'
import { MemoryDatastore } from 'datastore-core'
import { createHelia, createHeliaLight } from 'helia'
import { fileSystemSuite } from './suite.ts'

fileSystemSuite('MemoryBlockstore', () => ({
  blockstore: new MemoryBlockstore(),
  close: () => {}
}))

fileSystemSuite('createHeliaLight', () => ({
  blockstore: createHeliaLight({ blockstore: new MemoryBlockstore(), datastore: new MemoryDatastore() }).blockstore,
  close: () => {}
}))

fileSystemSuite('createHelia, not started', () => {
  const helia = createHelia({ blockstore: new MemoryBlockstore(), datastore: new MemoryDatastore() })

  return { blockstore: helia.blockstore, async close () { await helia.stop() } }
})
