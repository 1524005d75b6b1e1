import { packageVersion } from '../../../contenders/package-version.ts'
import type { EditedTree, Editor, OpenEditor, StoredTree } from './editor.ts'

/**
 * MFS has no draft: every write stores every block up to the root and puts the
 * root into the datastore, so that nothing is left for a commit.
 */
export const heliaMfs: Editor = {
  key: 'helia-mfs',
  cidGroup: 'unixfs',
  async open (): Promise<OpenEditor> {
    // the newest MFS works with stores of an older interface than Helia's
    const [{ mfs }, { MemoryBlockstore }, { MemoryDatastore }] = await Promise.all([import('@helia/mfs'), import('blockstore-core-5'), import('datastore-core-10')])

    return {
      version: await packageVersion('@helia/mfs'),
      options: { store: 'MemoryBlockstore', datastore: 'MemoryDatastore', flush: 'every write' },
      async create () {
        const components = { blockstore: new MemoryBlockstore(), datastore: new MemoryDatastore() }

        return edited(mfs, components)
      }
    }
  }
}

type Mfs = typeof import('@helia/mfs').mfs
type Components = Parameters<Mfs>[0]

function edited (mfs: Mfs, components: Components): EditedTree {
  const fs = mfs(components)
  const made = new Set<string>()

  return {
    async write (path, bytes) {
      const parent = path.slice(0, path.lastIndexOf('/'))

      if (parent !== '' && !made.has(parent)) {
        await fs.mkdir(parent)
        made.add(parent)
      }

      await fs.writeBytes(bytes, path)
    },
    async commit () {
      return (await fs.stat('/')).cid.toString()
    },
    reopen: async () => stored(mfs, components)
  }
}

function stored (mfs: Mfs, components: Components): StoredTree {
  const fs = mfs(components)

  return {
    async read (path) {
      const pieces = []

      for await (const piece of fs.cat(path)) {
        pieces.push(piece)
      }

      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
    },
    async names (path) {
      const names = []

      for await (const { name } of fs.ls(path)) {
        names.push(name)
      }

      return names
    }
  }
}
