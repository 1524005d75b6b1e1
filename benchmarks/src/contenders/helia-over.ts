import { unixfs } from '@helia/unixfs'
import { createHeliaLight } from 'helia'
import toBuffer from 'it-to-buffer'
import { candidates } from '../corpora/candidates.ts'
import { ownPeakMemory } from './own-memory.ts'
import { packageVersion } from './package-version.ts'
import { profileOptions } from './profile-options.ts'
import { checkedBlocks, readUnixfs } from './read-unixfs.ts'
import type { OpenContender } from './contender.ts'
import type { BlockstoreHolder } from './stores.ts'

/**
 * Opens Helia's UnixFS over a store, in a node without network that is never
 * started, since adding needs neither.
 */
export async function heliaOver (holder: BlockstoreHolder): Promise<OpenContender> {
  let helia = createHeliaLight({ blockstore: holder.store })

  return {
    version: `${helia.info.name} ${helia.info.version}, ${await packageVersion('@helia/unixfs')}`,
    options: { store: holder.name, node: 'createHeliaLight', import: profileOptions(), pin: false },

    async add (directory) {
      let cid: string | undefined

      // the directory that wraps all comes last
      for await (const result of unixfs(helia).addAll(candidates(directory), profileOptions())) {
        cid = result.cid.toString()
      }

      if (cid == null) {
        throw new Error(`nothing was added of ${directory}`)
      }

      return { cid, durable: false }
    },
    async empty () {
      await holder.empty()
      helia = createHeliaLight({ blockstore: holder.store })
    },
    read: root => readUnixfs(root, checkedBlocks(async cid => toBuffer(helia.blockstore.get(cid)))),
    peakMemory: ownPeakMemory,
    close: async () => holder.close()
  }
}
