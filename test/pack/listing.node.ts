import { expect } from 'aegir/chai'
import all from 'it-all'
import { blocks, Directories, withStore } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'
import type { CID } from 'multiformats/cid'

describe('a pack store during garbage collection', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  async function * listed (store: PackBlockstore): AsyncGenerator<string> {
    for await (const { cid } of store.getAll()) {
      yield String(cid)
    }
  }

  async function * scanned (store: PackBlockstore): AsyncGenerator<string> {
    for await (const batch of store.scan({ readBytes: 1_000 })) {
      yield * Array.from({ length: batch.length }, (_, i) => String(batch.cid(i)))
    }
  }

  for (const [claim, cidsOf] of [['lists all blocks', listed], ['gives all blocks of its log', scanned]] as const) {
    it(`${claim}, including those moved behind its position`, async () => {
      const put = await blocks(20, 1_000)
      const live = put.slice(14)

      await withStore(await directories.make(), { segmentBytes: 12_000 }, async store => {
        const cids = cidsOf(store)
        const found = new Set<string>()

        // the segment is there that blocks are moved to, and nothing in it yet
        async function * roots (): AsyncGenerator<CID> {
          found.add((await cids.next()).value)
          yield * live.map(({ cid }) => cid)
        }

        await all(store.putMany(put))
        await store.gc({ roots: roots(), links: () => [], keepUncommitted: false })

        for await (const cid of cids) {
          found.add(cid)
        }

        expect(live.filter(({ cid }) => !found.has(String(cid)))).to.deep.equal([])
      })
    })
  }
})
