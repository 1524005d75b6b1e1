import type { Contender } from './contender.ts'

export const heliaMem: Contender = {
  key: 'helia-mem',
  what: 'Helia with @helia/unixfs over blocks in memory (MemoryBlockstore)',
  cidGroup: 'unixfs-v1-2025',
  onDisk: false,
  async open () {
    const [{ heliaOver }, { memoryStore }] = await Promise.all([import('./helia-over.ts'), import('./stores.ts')])

    return heliaOver(memoryStore())
  }
}
