import type { Contender } from './contender.ts'

export const dagfsPack: Contender = {
  key: 'dagfs-pack',
  what: 'dagfs over its own store on disk, which packs many blocks into a file (PackBlockstore), synced',
  cidGroup: 'dag-cbor',
  onDisk: true,
  async open ({ directory }) {
    const [{ dagfsOver }, { packStore }] = await Promise.all([import('./dagfs-over.ts'), import('./stores.ts')])

    return dagfsOver(await packStore(directory))
  }
}
