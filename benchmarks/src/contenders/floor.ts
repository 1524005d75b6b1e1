import type { Contender } from './contender.ts'

export const floor: Contender = {
  key: 'floor',
  cidGroup: 'none',
  onDisk: true,
  incomparable: () => 'it makes no blocks, and so no CID',
  async open ({ directory }) {
    const { openFloor } = await import('./one-file.ts')

    return openFloor(directory)
  }
}
