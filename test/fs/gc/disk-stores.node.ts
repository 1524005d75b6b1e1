import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { FsBlockstore } from 'blockstore-fs'
import { LevelBlockstore } from 'blockstore-level'
import { createHeliaLight } from 'helia'
import { dagfs } from '../../../src/index.ts'
import { contentOf, readAll } from './interleavings.ts'
import { garbageCollectionSuite } from './suite.ts'
import type { OpenStore } from './suite.ts'

async function openIn (create: (path: string) => FsBlockstore | LevelBlockstore): Promise<OpenStore> {
  const path = await mkdtemp(join(tmpdir(), 'dagfs-gc-'))
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

const openFs = async (): Promise<OpenStore> => openIn(path => new FsBlockstore(path))

// what they list says the hash of a block, and not its codec
garbageCollectionSuite('FsBlockstore', openFs, { runs: 5 })
garbageCollectionSuite('LevelBlockstore', async () => openIn(path => new LevelBlockstore(path)), { runs: 5 })

describe('gc on a Helia node over FsBlockstore', () => {
  it('deletes blocks that only older roots had, though they are counted as pinned', async () => {
    const store = await openFs()
    const fs = dagfs(createHeliaLight({ blockstore: store.blockstore }))

    try {
      for (const content of ['1', '2', '3', '4']) {
        await fs.writeFile('/a', contentOf(content))
        await fs.commit()
      }

      expect((await fs.gc()).deleted).to.be.greaterThan(0)
      expect(await fs.gc()).to.include({ deleted: 0 })
      expect(await readAll(fs)).to.deep.equal({ '/a': contentOf('4') })
    } finally {
      await store.close()
    }
  })
})
