import type { Contender } from './contender.ts'

/**
 * The profile shards a directory whose block would pass this
 */
const SHARDED_ABOVE_BYTES = 256 * 1024

export const ipfs: Contender = {
  key: 'ipfs',
  what: 'js-ipfs, the predecessor of Helia in JavaScript, with its own repo on disk',
  cidGroup: 'unixfs-v1-2025',
  tool: 'js-ipfs',
  onDisk: true,

  cannotCarry ({ links }) {
    return links === 0
      ? undefined
      : `js-ipfs knows no symbolic links when it adds, and the corpus has ${links}`
  },

  incomparable ({ largestDirectoryBlockBytes }) {
    return largestDirectoryBlockBytes <= SHARDED_ABOVE_BYTES
      ? undefined
      : 'js-ipfs never shards by size, and the corpus has a directory that may pass the 256 KiB where the profile shards'
  },

  async open (context) {
    const { openJsIpfs } = await import('./js-ipfs-node.ts')

    return openJsIpfs(context)
  }
}
