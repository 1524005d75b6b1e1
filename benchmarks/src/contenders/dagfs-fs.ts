import type { Contender } from './contender.ts'

export const dagfsFs: Contender = {
  key: 'dagfs-fs',
  what: 'dagfs over a file for each block (blockstore-fs)',
  cidGroup: 'dag-cbor',
  onDisk: true,
  async open ({ directory }) {
    const [{ dagfsOver }, { fsStore }] = await Promise.all([import('./dagfs-over.ts'), import('./stores.ts')])

    return dagfsOver(await fsStore(directory))
  }
}
