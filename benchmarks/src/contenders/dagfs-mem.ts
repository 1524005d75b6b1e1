import type { Contender } from './contender.ts'

export const dagfsMem: Contender = {
  key: 'dagfs-mem',
  cidGroup: 'dag-cbor',
  onDisk: false,
  async open () {
    const [{ dagfsOver }, { memoryStore }] = await Promise.all([import('./dagfs-over.ts'), import('./stores.ts')])

    return dagfsOver(memoryStore())
  }
}
