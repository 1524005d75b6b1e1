import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import toBuffer from 'it-to-buffer'
import { ownPeakMemory } from './own-memory.ts'
import { packageVersion } from './package-version.ts'
import type { OpenContender, StoredEntry } from './contender.ts'
import type { BlockstoreHolder } from './stores.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

/**
 * Opens dagfs over a store; every add uses a new handle, as every add of
 * Helia's does.
 */
export async function dagfsOver (holder: BlockstoreHolder): Promise<OpenContender> {
  const importOptions = { hidden: true, ignore: [] }

  return {
    version: await packageVersion('dagfs'),
    options: { store: holder.name, layout: 'dagfs-1', import: importOptions, pin: false },

    async add (directory) {
      const fs = dagfs({ blockstore: holder.store })

      await importDirectory(fs, directory, { ...importOptions })

      const { root, durability } = await fs.commit()

      return { cid: root.toString(), durable: durability === 'commit' }
    },
    empty: async () => holder.empty(),
    read: root => read(holder.store, root),
    readBlock: async cid => toBuffer(holder.store.get(cid)),
    peakMemory: ownPeakMemory,
    close: async () => holder.close()
  }
}

async function * read (blockstore: Blockstore, root: CID): AsyncGenerator<StoredEntry> {
  const fs = dagfs({ blockstore }).at(root)

  for await (const entry of fs.walk('/')) {
    const path = entry.path.replace(/^\//, '')

    if (entry.kind === 'file') {
      yield { path, kind: 'file', content: () => fs.cat(entry.path) }
    } else if (entry.kind === 'directory') {
      yield { path, kind: 'directory' }
    } else if (entry.target != null) {
      yield { path, kind: 'link', target: entry.target }
    } else {
      throw new Error(`${entry.path} is a link without a target`)
    }
  }
}
