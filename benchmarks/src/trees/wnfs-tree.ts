import { CID } from 'multiformats/cid'
import { committedRoot, segments } from './tree.ts'
import type { Tree } from './tree.ts'
import type { BlockStore, PublicDirectory } from 'wnfs'

// it is recorded in every node, and equal trees are to have equal CIDs
const TIME = new Date(0)

type Wnfs = typeof import('wnfs')

/**
 * The public half of the WebNative filesystem, compiled to WebAssembly; its
 * private half encrypts, which nobody else here does. It records times, and no
 * modes.
 */
export function wnfsTree (wnfs: Wnfs, store: BlockStore, opened = new wnfs.PublicDirectory(TIME), stored?: Uint8Array): Tree {
  let root = opened
  let committed = stored

  const write: Tree['write'] = async (path, bytes, attributes) => {
    // what the WebAssembly side answers has no type of its own
    const { rootDir }: { rootDir: PublicDirectory } = await root.write(segments(path), bytes, attributes?.mtime ?? TIME, store)

    root = rootDir
  }

  return {
    async mkdir (path) {
      const { rootDir }: { rootDir: PublicDirectory } = await root.mkdir(segments(path), TIME, store)

      root = rootDir
    },
    write,
    async copyIn (path, files) {
      // it makes the directories on the way
      for (const { path: name, bytes, attributes } of files) {
        await write(`${path}/${name}`, bytes, attributes)
      }
    },
    async commit () {
      const cid: Uint8Array = await root.store(store)

      committed = cid

      return CID.decode(cid).toString()
    },
    async reopen () {
      const cid = committedRoot(committed)

      return wnfsTree(wnfs, store, await wnfs.PublicDirectory.load(cid, store), cid)
    },
    read: async path => root.read(segments(path), store),
    async names (path) {
      const entries: Array<{ name: string }> = await root.ls(segments(path), store)

      return entries.map(({ name }) => name)
    }
  }
}
