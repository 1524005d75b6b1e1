import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'

/**
 * The root that a directory gives where it is imported into nothing.
 */
export async function rootOf (directory: string, mtime: boolean): Promise<string> {
  const fs = dagfs({ blockstore: new MemoryBlockstore() })

  await importDirectory(fs, directory, { mtime })

  return (await fs.commit()).root.toString()
}
