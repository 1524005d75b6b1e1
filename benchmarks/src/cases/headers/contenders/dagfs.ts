import { packageVersion } from '../../../contenders/package-version.ts'
import type { HeadersContender } from './contender.ts'

export const dagfs: HeadersContender = {
  key: 'dagfs',
  layout: 'dag-cbor, metadata in the directory, no headers',
  verifies: true,
  chunkBytes: 2 ** 20,
  async open () {
    const { dagfsTree } = await import('../../../trees/dagfs-tree.ts')

    return {
      version: await packageVersion('dagfs'),
      options: { layout: 'dagfs-1', records: 'mode, mtime' },
      create: async store => dagfsTree(store, { times: true })
    }
  }
}
