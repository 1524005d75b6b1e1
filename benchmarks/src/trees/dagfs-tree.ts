import { dagfs } from 'dagfs'
import { committedRoot } from './tree.ts'
import type { Tree } from './tree.ts'
import type { DagFsComponents } from 'dagfs'
import type { CID } from 'multiformats/cid'

/**
 * Larger files are given as a stream of one piece: bytes at hand would be copied,
 * since their owner may change them, and no other contender copies them
 */
const STREAMED_ABOVE_BYTES = 2 ** 20

type Store = DagFsComponents['blockstore']

interface DagfsTreeOptions {
  readonly root?: CID
  /**
   * Whether times are recorded, those that files are written with
   */
  readonly times?: boolean
}

export function dagfsTree (blockstore: Store, { root, times = false }: DagfsTreeOptions = {}): Tree {
  let time = new Date(0)
  let committed = root
  const fs = dagfs({ blockstore }, { root, clock: times ? () => time : undefined })

  return {
    mkdir: async path => { await fs.mkdir(path) },
    async write (path, bytes, attributes) {
      time = attributes?.mtime ?? time
      await fs.writeFile(path, content(bytes), { mode: attributes?.mode })
    },
    async copyIn (path, files) {
      await fs.addAll(Array.from(files, ({ path: name, bytes, attributes }) => ({ path: `${path}/${name}`, content: content(bytes), ...attributes })))
    },
    async commit () {
      committed = (await fs.commit()).root

      return committed.toString()
    },
    reopen: async () => dagfsTree(seenAnew(blockstore), { root: committedRoot(committed), times }),
    read: async path => fs.readFile(path),
    names: async path => fs.readdir(path)
  }
}

function content (bytes: Uint8Array): Uint8Array | Iterable<Uint8Array> {
  return bytes.byteLength > STREAMED_ABOVE_BYTES ? [bytes] : bytes
}

/** The same blocks in what dagfs takes for another store: filesystems on one store share what was read, and this one begins cold. */
function seenAnew (store: Store): Store {
  return {
    copiesBytes: store.copiesBytes,
    checksBytes: store.checksBytes,
    get: (cid, options) => store.get(cid, options),
    put: (cid, bytes, options) => store.put(cid, bytes, options)
  }
}
