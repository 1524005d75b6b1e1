import type { Contender } from './contender.ts'

export const kubo: Contender = {
  key: 'kubo',
  what: 'Kubo, the IPFS in Go, as a daemon that a program in JavaScript sends all files to over its RPC; its repo on disk',
  cidGroup: 'unixfs-v1-2025',
  tool: 'kubo',
  onDisk: true,

  cannotCarry ({ links }) {
    return links === 0
      ? undefined
      : `kubo-rpc-client sends no symbolic links, and the corpus has ${links}`
  },

  async open (context) {
    const { openKuboOverRpc } = await import('./kubo-over-rpc.ts')

    return openKuboOverRpc(context)
  }
}
