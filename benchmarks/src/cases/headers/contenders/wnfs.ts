import { packageVersion } from '../../../contenders/package-version.ts'
import type { HeadersContender } from './contender.ts'

export const wnfs: HeadersContender = {
  key: 'wnfs',
  layout: 'dag-cbor, metadata in a node for each file',
  verifies: false,
  chunkBytes: 2 ** 18,
  async open () {
    const [module, { wnfsTree }, { wnfsStoreOver }] = await Promise.all([
      import('wnfs'), import('../../../trees/wnfs-tree.ts'), import('../../../trees/wnfs-store.ts')
    ])

    return {
      version: await packageVersion('wnfs'),
      options: { tree: 'PublicDirectory', records: 'two times' },
      create: async store => wnfsTree(module, wnfsStoreOver(store))
    }
  }
}
