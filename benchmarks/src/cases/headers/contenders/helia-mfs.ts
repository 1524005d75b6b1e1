import { packageVersion } from '../../../contenders/package-version.ts'
import type { HeadersContender } from './contender.ts'

export const heliaMfs: HeadersContender = {
  key: 'helia-mfs',
  layout: 'dag-pb, no metadata',
  verifies: false,
  chunkBytes: 2 ** 20,
  async open () {
    // the newest MFS works with stores of an older interface than Helia's
    const [{ mfs }, { MemoryDatastore }, { olderStore }, { mfsTree }] = await Promise.all([
      import('@helia/mfs'), import('datastore-core-10'), import('./older-store.ts'), import('../../../trees/mfs-tree.ts')
    ])

    return {
      version: await packageVersion('@helia/mfs'),
      options: { datastore: 'MemoryDatastore', flush: 'every write', records: 'nothing' },
      create: async store => mfsTree(mfs, { blockstore: olderStore(store), datastore: new MemoryDatastore() }, { replace: true })
    }
  }
}
