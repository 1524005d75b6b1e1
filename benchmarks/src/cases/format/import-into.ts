import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { layoutOf } from './layout.ts'
import type { BlockStore } from 'dagfs'

/**
 * Imports a host directory into a store, and returns the root.
 */
export async function importInto (blockstore: BlockStore, source: string, inlineBytes: number): Promise<string> {
  const fs = dagfs({ blockstore }, { layout: layoutOf(inlineBytes) })

  await importDirectory(fs, source)

  const { root } = await fs.commit()

  return root.toString()
}
