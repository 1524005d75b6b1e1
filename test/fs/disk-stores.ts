import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FsBlockstore } from 'blockstore-fs'
import { LevelBlockstore } from 'blockstore-level'

/** The stores on disk that are not ours, each open in a directory that is removed when it is closed. */
export const diskStores = {
  FsBlockstore: async () => openIn(path => new FsBlockstore(path)),
  LevelBlockstore: async () => openIn(path => new LevelBlockstore(path))
}

async function openIn <S extends FsBlockstore | LevelBlockstore> (create: (path: string) => S): Promise<{ blockstore: S, close(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'dagfs-store-'))
  const blockstore = create(path)
  await blockstore.open()

  return {
    blockstore,
    async close () {
      await blockstore.close()
      await rm(path, { recursive: true })
    }
  }
}
