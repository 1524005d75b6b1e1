import type { Contender } from './contender.ts'

export const kubo: Contender = {
  key: 'kubo',
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
