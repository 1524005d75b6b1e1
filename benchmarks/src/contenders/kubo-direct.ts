import type { Contender } from './contender.ts'

export const kuboDirect: Contender = {
  key: 'kubo-direct',
  cidGroup: 'unixfs-v1-2025',
  tool: 'kubo',
  onDisk: true,
  async open (context) {
    const { openKuboCommand } = await import('./kubo-command.ts')

    return openKuboCommand(context)
  }
}
