import type { Contender } from './contender.ts'

export const floor: Contender = {
  key: 'floor',
  what: 'no filesystem, but the least that any program has to do: it walks the directory, reads, hashes (sha2-256) and writes every byte once, into one file, and syncs it',
  cidGroup: 'none',
  onDisk: true,
  incomparable: () => 'it makes no blocks, and so no CID',
  async open ({ directory }) {
    const { openFloor } = await import('./one-file.ts')

    return openFloor(directory)
  }
}
