import type { Contender } from './contender.ts'

export const heliaFs: Contender = {
  key: 'helia-fs',
  what: 'Helia with @helia/unixfs over a file for each block (blockstore-fs)',
  cidGroup: 'unixfs-v1-2025',
  onDisk: true,
  async open ({ directory }) {
    const [{ heliaOver }, { fsStore }] = await Promise.all([import('./helia-over.ts'), import('./stores.ts')])

    return heliaOver(await fsStore(directory))
  }
}
