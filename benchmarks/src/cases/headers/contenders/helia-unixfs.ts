import { packageVersion } from '../../../contenders/package-version.ts'
import type { HeadersContender } from './contender.ts'

export const heliaUnixfs: HeadersContender = {
  key: 'helia-unixfs',
  layout: 'dag-pb, metadata in the file\'s node',
  verifies: false,
  chunkBytes: 2 ** 20,
  async open () {
    const { unixfsTree } = await import('../../../trees/unixfs-tree.ts')

    return {
      version: await packageVersion('@helia/unixfs'),
      options: { profile: 'unixfs-v1-2025', records: 'mode, mtime' },
      create: async store => unixfsTree(store)
    }
  }
}
