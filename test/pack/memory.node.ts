import { expect } from 'aegir/chai'
import all from 'it-all'
import { collectGarbage } from '../collect-garbage.ts'
import { Directories, numberedBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const count = 120_000

describe('a pack store of many small blocks', function () {
  this.timeout(120_000)
  const directories = new Directories()

  after(async () => {
    await directories.removeAll()
  })

  async function fill (segmentBytes: number): Promise<string> {
    const directory = await directories.make()
    await withStore(directory, { segmentBytes }, async store => {
      await all(store.putMany(numberedBlocks()))
    })

    return directory
  }

  it('is verified without holding the blocks of all segments', async () => {
    const directory = await fill(2 ** 18)

    await withStore(directory, { readonly: true }, async store => {
      const used: number[] = []
      const { problems, blocks } = await store.verify({ onProgress: () => { used.push(inUse()) } })
      expect({ problems, blocks }).to.deep.equal({ problems: [], blocks: count })
      expect(used).to.have.lengthOf.above(10)
      // the first one is measured beside what was left of filling the store
      expect(Math.max(...used.slice(1)) - used[1]).to.be.below(2 ** 21)
    })
  })

  it('returns all blocks without a list for each segment', async () => {
    const directory = await fill(2 ** 26)

    await withStore(directory, { readonly: true }, async store => {
      const before = inUse()
      const used: number[] = []
      let given = 0

      for await (const { cid } of store.getAll()) {
        expect(cid.code).to.equal(0x55)

        if (given++ % 10_000 === 0) {
          used.push(inUse() - before)
        }
      }

      expect(given).to.equal(count)
      expect(Math.max(...used)).to.be.below(2 ** 23)
    })
  })
})

function * numberedBlocks (): Generator<TestBlock> {
  for (let number = 0; number < count; number++) {
    yield numberedBlock(number)
  }
}

function inUse (): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()

  return heapUsed + external
}
