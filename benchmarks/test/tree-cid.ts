import { unixfs } from '@helia/unixfs'
import { MemoryBlockstore } from 'blockstore-core'
import { profileOptions } from '../src/contenders/profile-options.ts'
import { candidates } from '../src/corpora/candidates.ts'

/**
 * One name for all that is in a host directory
 */
export async function treeCid (directory: string): Promise<string> {
  let cid = ''

  for await (const result of unixfs({ blockstore: new MemoryBlockstore() }).addAll(candidates(directory), profileOptions())) {
    cid = result.cid.toString()
  }

  return cid
}
