import { packageVersion } from '../../../contenders/package-version.ts'
import { wnfsMapStore } from '../../../trees/wnfs-store.ts'
import { wnfsTree } from '../../../trees/wnfs-tree.ts'
import type { Editor } from './editor.ts'

export const wnfs: Editor = {
  key: 'wnfs',
  what: 'the public directories of WNFS (Rust, in WebAssembly) over blocks in memory',
  cidGroup: 'wnfs',
  async open () {
    const module = await import('wnfs')

    return {
      version: await packageVersion('wnfs'),
      options: { store: 'a Map', tree: 'PublicDirectory' },
      create: async () => wnfsTree(module, wnfsMapStore())
    }
  }
}
