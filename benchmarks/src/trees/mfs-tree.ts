import toBuffer from 'it-to-buffer'
import type { Tree } from './tree.ts'

export type Mfs = typeof import('@helia/mfs').mfs
export type MfsComponents = Parameters<Mfs>[0]

interface MfsTreeOptions {
  /**
   * Whether files that are there are written over; otherwise MFS looks first
   * whether there is one
   */
  readonly replace?: boolean
}

/**
 * MFS has no draft: every write stores every block up to the root and puts the
 * root into the datastore, so that nothing is left for a commit. With attributes
 * it would store each file and the way to it three times, so it is given none.
 */
export function mfsTree (mfs: Mfs, components: MfsComponents, { replace = false }: MfsTreeOptions = {}): Tree {
  const fs = mfs(components)
  const write = async (path: string, bytes: Uint8Array): Promise<void> => fs.writeBytes(bytes, path, { force: replace })

  return {
    mkdir: async path => fs.mkdir(path),
    write,
    async copyIn (path, files) {
      const made = new Set<string>()

      await fs.mkdir(path)

      for (const { path: name, bytes } of files) {
        const directory = `${path}/${name.slice(0, name.lastIndexOf('/'))}`

        if (!made.has(directory)) {
          await fs.mkdir(directory)
          made.add(directory)
        }

        await write(`${path}/${name}`, bytes)
      }
    },
    commit: async () => (await fs.stat('/')).cid.toString(),
    reopen: async () => mfsTree(mfs, components, { replace }),
    read: async path => toBuffer(fs.cat(path)),
    async names (path) {
      const names = []

      for await (const { name } of fs.ls(path)) {
        names.push(name)
      }

      return names
    }
  }
}
