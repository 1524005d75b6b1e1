import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FsBlockstore } from 'blockstore-fs'
import { LevelBlockstore } from 'blockstore-level'
import { fileSystemSuite } from './suite.ts'
import type { OpenStore } from './suite.ts'

for (const [name, create] of [
  ['FsBlockstore', (path: string) => new FsBlockstore(path)],
  ['LevelBlockstore', (path: string) => new LevelBlockstore(path)]
] as const) {
  fileSystemSuite(name, async (): Promise<OpenStore> => {
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
  })
}
