import type { Contender } from './contender.ts'

export const kuboDirect: Contender = {
  key: 'kubo-direct',
  what: 'Kubo’s command `ipfs add`, which reads the files itself, without a daemon, the start of the process included; its repo on disk',
  cidGroup: 'unixfs-v1-2025',
  tool: 'kubo',
  onDisk: true,
  async open (context) {
    const { openKuboCommand } = await import('./kubo-command.ts')

    return openKuboCommand(context)
  }
}
