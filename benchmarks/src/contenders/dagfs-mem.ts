import type { Contender } from './contender.ts'

export const dagfsMem: Contender = {
  key: 'dagfs-mem',
  what: 'dagfs over blocks in memory (MemoryBlockstore)',
  cidGroup: 'dag-cbor',
  onDisk: false,
  async open () {
    const [{ dagfsOver }, { memoryStore }] = await Promise.all([import('./dagfs-over.ts'), import('./stores.ts')])

    return dagfsOver(memoryStore())
  }
}
