import { IDBBlockstore } from 'blockstore-idb'
import { fileSystemSuite } from './fs/suite.ts'

fileSystemSuite('IDBBlockstore', async () => {
  const blockstore = new IDBBlockstore(`dagfs-${Math.random()}`)
  await blockstore.open()

  return {
    blockstore,
    async close () {
      await blockstore.close()
      await blockstore.destroy()
    }
  }
})
