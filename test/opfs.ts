import { OPFSBlockstore } from 'blockstore-opfs'
import { fileSystemSuite } from './fs/suite.ts'

fileSystemSuite('OPFSBlockstore', async () => {
  const blockstore = new OPFSBlockstore(`dagfs-${Math.random()}`)
  await blockstore.open()

  return {
    blockstore,
    async close () {
      await blockstore.deleteAll()
      blockstore.close()
    }
  }
})
