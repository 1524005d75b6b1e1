import { CarIndexedReader } from '@ipld/car'
import { checkedBlocks, readUnixfs } from './read-unixfs.ts'
import type { StoredEntry } from './contender.ts'
import type { CID } from 'multiformats/cid'

/**
 * Reads a UnixFS directory from a CAR file, without taking the file into memory.
 */
export async function * readCar (path: string, root: CID): AsyncGenerator<StoredEntry> {
  const reader = await CarIndexedReader.fromFile(path)

  try {
    yield * readUnixfs(root, checkedBlocks(async cid => {
      const block = await reader.get(cid)

      if (block == null) {
        throw new Error(`the export lacks the block ${cid}`)
      }

      return block.bytes
    }))
  } finally {
    await reader.close()
  }
}
