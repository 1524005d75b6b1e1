import { expect } from 'aegir/chai'
import { createHeliaLight } from 'helia'
import { dagfs } from '../../../src/index.ts'
import { diskStores } from '../disk-stores.ts'
import { contentOf, readAll } from './interleavings.ts'
import { garbageCollectionSuite } from './suite.ts'

// what they list says the hash of a block, and not its codec
for (const [name, open] of Object.entries(diskStores)) {
  garbageCollectionSuite(name, open, { runs: 5 })
}

describe('gc on a Helia node over FsBlockstore', () => {
  it('deletes blocks of older roots, though they are counted as pinned', async () => {
    const store = await diskStores.FsBlockstore()
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
