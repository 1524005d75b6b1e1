import { MemoryBlockstore } from 'blockstore-core'
import { packageVersion } from '../../../contenders/package-version.ts'
import { dagfsTree } from '../../../trees/dagfs-tree.ts'
import type { Editor } from './editor.ts'

export const dagfsMem: Editor = {
  key: 'dagfs-mem',
  what: 'dagfs over blocks in memory',
  cidGroup: 'dag-cbor',
  open: async () => ({
    version: await packageVersion('dagfs'),
    options: { store: 'MemoryBlockstore', layout: 'dagfs-1' },
    create: async () => dagfsTree(new MemoryBlockstore())
  })
}
