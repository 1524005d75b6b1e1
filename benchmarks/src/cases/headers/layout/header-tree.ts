import { committedRoot, segments } from '../../../trees/tree.ts'
import { Blocks } from './blocks.ts'
import { HeaderDirectory } from './header-directory.ts'
import { StoredNodes } from './stored-nodes.ts'
import type { HeaderLayout } from './header.ts'
import type { Attributes, Tree } from '../../../trees/tree.ts'
import type { DagFsComponents } from 'dagfs'
import type { CID } from 'multiformats/cid'

const DEFAULTS: Attributes = { mode: 0o644, mtime: new Date(0) }

/**
 * A tree in the layout of WNFS v1: each file and directory is a header that links
 * to its content, to what it is called by and, where that is not in the header, to
 * its metadata.
 *
 * ```text
 * header ─┬─ metadata                 header ─┬─ metadata
 * of a    ├─ skeleton                 of a    ├─ userland: the bytes
 * direc-  ├─ userland: the links      file    └─ previous
 * tory    └─ previous
 * ```
 *
 * The original stores every directory on the way with every write. Here edits are
 * kept until a commit stores each node once, as dagfs does, so that what is left
 * to compare is the layout.
 */
export function headerTree (store: DagFsComponents['blockstore'], layout: HeaderLayout, stored?: CID): Tree {
  const nodes = new StoredNodes(new Blocks(store), layout)
  let opened = stored == null ? HeaderDirectory.empty(nodes) : undefined
  let committed = stored

  const root = async (): Promise<HeaderDirectory> => {
    opened ??= await HeaderDirectory.open(nodes, committedRoot(committed))

    return opened
  }

  const write: Tree['write'] = async (path, bytes, attributes = DEFAULTS) => {
    const names = segments(path)

    await (await root()).write(names, await nodes.blocks.putContent(bytes), attributes)
  }

  return {
    mkdir: async path => (await root()).mkdir(segments(path), DEFAULTS.mtime),
    write,
    async copyIn (path, files) {
      for (const { path: name, bytes, attributes } of files) {
        const names = segments(`${path}/${name}`)

        await (await root()).mkdir(names.slice(0, -1), attributes.mtime)
        await write(`${path}/${name}`, bytes, attributes)
      }
    },
    async commit () {
      committed = (await (await root()).store()).cid
      opened = undefined

      return committed.toString()
    },
    reopen: async () => headerTree(store, layout, committedRoot(committed)),
    async read (path) {
      const { metadata, userland } = await (await root()).file(segments(path))

      return nodes.blocks.getContent({ cid: userland, size: metadata.size ?? 0 })
    },
    names: async path => (await root()).names(segments(path))
  }
}
