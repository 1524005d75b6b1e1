import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { packageVersion } from '../../../contenders/package-version.ts'
import type { EditedTree, Editor, OpenEditor, StoredTree } from './editor.ts'
import type { CID } from 'multiformats/cid'

export const dagfsMem: Editor = {
  key: 'dagfs-mem',
  cidGroup: 'dag-cbor',
  async open (): Promise<OpenEditor> {
    return {
      version: await packageVersion('dagfs'),
      options: { store: 'MemoryBlockstore', layout: 'dagfs-1' },
      create: async () => edited(new MemoryBlockstore())
    }
  }
}

function edited (blockstore: MemoryBlockstore): EditedTree {
  const fs = dagfs({ blockstore })
  const made = new Set<string>()
  let committed: CID | undefined

  return {
    async write (path, bytes) {
      const parent = path.slice(0, path.lastIndexOf('/'))

      if (parent !== '' && !made.has(parent)) {
        await fs.mkdir(parent)
        made.add(parent)
      }

      await fs.writeFile(path, bytes)
    },
    async commit () {
      const { root } = await fs.commit()

      committed = root

      return root.toString()
    },
    async reopen () {
      if (committed == null) {
        throw new Error('nothing was committed')
      }

      return stored(blockstore, committed)
    }
  }
}

function stored (blockstore: MemoryBlockstore, root: CID): StoredTree {
  const fs = dagfs({ blockstore }, { root })

  return {
    read: async path => fs.readFile(path),
    async names (path) {
      const names = []

      for await (const { name } of fs.ls(path)) {
        names.push(name)
      }

      return names
    }
  }
}
