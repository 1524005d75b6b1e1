import { packageVersion } from '../../../contenders/package-version.ts'
import { mfsTree } from '../../../trees/mfs-tree.ts'
import type { Editor } from './editor.ts'

export const heliaMfs: Editor = {
  key: 'helia-mfs',
  what: 'the mutable filesystem of Helia (@helia/mfs) over blocks in memory, which stores every directory on the way with every write',
  cidGroup: 'unixfs',
  async open () {
    // the newest MFS works with stores of an older interface than Helia's
    const [{ mfs }, { MemoryBlockstore }, { MemoryDatastore }] = await Promise.all([import('@helia/mfs'), import('blockstore-core-5'), import('datastore-core-10')])

    return {
      version: await packageVersion('@helia/mfs'),
      options: { store: 'MemoryBlockstore', datastore: 'MemoryDatastore', flush: 'every write' },
      create: async () => mfsTree(mfs, { blockstore: new MemoryBlockstore(), datastore: new MemoryDatastore() })
    }
  }
}
