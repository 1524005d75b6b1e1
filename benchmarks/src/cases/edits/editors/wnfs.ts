import { CID } from 'multiformats/cid'
import { packageVersion } from '../../../contenders/package-version.ts'
import { WnfsStore } from './wnfs-store.ts'
import type { EditedTree, Editor, OpenEditor, StoredTree } from './editor.ts'
import type { PublicDirectory } from 'wnfs'

// it is recorded in every node, and equal trees are to have equal CIDs
const TIME = new Date(0)

/**
 * The public half of the WebNative filesystem, compiled to WebAssembly; its
 * private half encrypts, which nobody else here does.
 */
export const wnfs: Editor = {
  key: 'wnfs',
  cidGroup: 'wnfs',
  async open (): Promise<OpenEditor> {
    const module = await import('wnfs')

    return {
      version: await packageVersion('wnfs'),
      options: { store: 'a Map', tree: 'PublicDirectory' },
      create: async () => edited(module)
    }
  }
}

type Module = typeof import('wnfs')

function edited (module: Module): EditedTree {
  const store = new WnfsStore()
  let root = new module.PublicDirectory(TIME)
  let cid: Uint8Array | undefined

  return {
    async write (path, bytes) {
      // what the WebAssembly side answers has no type of its own
      const { rootDir }: { rootDir: PublicDirectory } = await root.write(segments(path), bytes, TIME, store)

      root = rootDir
    },
    async commit () {
      const bytes: Uint8Array = await root.store(store)

      cid = bytes

      return CID.decode(bytes).toString()
    },
    async reopen () {
      if (cid == null) {
        throw new Error('nothing was committed')
      }

      return stored(await module.PublicDirectory.load(cid, store), store)
    }
  }
}

function stored (root: PublicDirectory, store: WnfsStore): StoredTree {
  return {
    read: async path => root.read(segments(path), store),
    async names (path) {
      const entries: Array<{ name: string }> = await root.ls(segments(path), store)

      return entries.map(({ name }) => name)
    }
  }
}

function segments (path: string): string[] {
  return path.split('/').filter(segment => segment !== '')
}
