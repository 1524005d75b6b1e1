import { unixfs } from '@helia/unixfs'
import toBuffer from 'it-to-buffer'
import { segments } from './tree.ts'
import type { Attributes, SourceFile, Tree } from './tree.ts'
import type { AddOptions, UnixFS, UnixFSComponents } from '@helia/unixfs'
import type { CID } from 'multiformats/cid'

/**
 * UnixFS knows no paths to write to: what is added is put into its directory,
 * that one into the one above, and so on up to a new root.
 */
export async function unixfsTree (blockstore: UnixFSComponents['blockstore']): Promise<Tree> {
  const fs = unixfs({ blockstore })

  return treeOf(fs, await fs.addDirectory({}, options()))
}

function treeOf (fs: UnixFS, first: CID): Tree {
  let root = first

  return {
    async mkdir (path) {
      root = await edit(fs, root, segments(path), async (directory, name) => fs.mkdir(directory, name))
    },
    async write (path, bytes, attributes) {
      const cid = await fs.addBytes(bytes, { ...options(), ...unixAttributes(attributes) })

      root = await edit(fs, root, segments(path), async (directory, name) => fs.cp(cid, directory, name, { force: true }))
    },
    async copyIn (path, files) {
      const cid = await addDirectories(fs, files)

      root = await edit(fs, root, segments(path), async (directory, name) => fs.cp(cid, directory, name))
    },
    commit: async () => root.toString(),
    reopen: async () => treeOf(fs, root),
    read: async path => toBuffer(fs.cat(root, { path })),
    async names (path) {
      const names = []

      for await (const { name } of fs.ls(root, { path })) {
        names.push(name)
      }

      return names
    }
  }
}

/**
 * Changes one directory, and stores all above it anew.
 */
async function edit (fs: UnixFS, directory: CID, [name, ...rest]: string[], change: (directory: CID, name: string) => Promise<CID>): Promise<CID> {
  if (rest.length === 0) {
    return change(directory, name)
  }

  const { cid } = await fs.stat(directory, { path: name })

  return fs.cp(await edit(fs, cid, rest, change), directory, name, { force: true })
}

async function addDirectories (fs: UnixFS, files: Iterable<SourceFile>): Promise<CID> {
  const candidates = Array.from(files, ({ path, bytes, attributes }) => ({ path, content: bytes, ...unixAttributes(attributes) }))
  let last: CID | undefined

  // the directory that wraps all comes last
  for await (const { cid } of fs.addAll(candidates, { ...options(), wrapWithDirectory: true })) {
    last = cid
  }

  if (last == null) {
    throw new Error('nothing was copied in')
  }

  return last
}

function unixAttributes (attributes?: Attributes): { mode?: number, mtime?: { secs: bigint } } {
  return attributes == null ? {} : { mode: attributes.mode, mtime: { secs: BigInt(attributes.mtime.getTime()) / 1_000n } }
}

/**
 * Made anew for every call, since the importer writes into what it is given
 */
function options (): Pick<AddOptions, 'profile'> {
  return { profile: 'unixfs-v1-2025' }
}
