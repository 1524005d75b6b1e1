import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxPublishedBytes } from '../../src/pack/writing/log-writer.ts'
import { Directories, numberedBlock, withStore } from './stores.ts'

describe('deletions recorded beside roots that nearly fill a record', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** The largest value that can be published as a root when nothing else is to be told */
  async function largestRoot (): Promise<number> {
    return withStore(await directories.make(), {}, async store => {
      for (let length = maxPublishedBytes; ; length--) {
        try {
          if (await store.roots.compareAndSet('main', undefined, new Uint8Array(length))) {
            return length
          }
        } catch {
          // one byte less
        }
      }
    })
  }

  it('take two records, not one for every few deletions', async () => {
    const directory = await directories.make()
    const count = 64
    const put = Array.from({ length: count }, (_, i) => numberedBlock(i))
    const length = await largestRoot() - 100

    await withStore(directory, { recordAfterMs: 60_000 }, async store => {
      await all(store.putMany(put))
      await store.sync()
      await all(store.deleteMany(put.map(({ cid }) => cid)))
      expect(await store.roots.compareAndSet('main', undefined, new Uint8Array(length))).to.equal(true)
      let bytes = 0

      for (const name of (await readdir(directory)).filter(each => each.endsWith('.car'))) {
        bytes += (await stat(join(directory, name))).size
      }

      // 64 deletions have 3 KiB
      expect(bytes).to.be.below(3 * 2 ** 21)
    })
  })

  it('do not prevent a root that fits alone from being published', async () => {
    const directory = await directories.make()
    const { cid, bytes } = numberedBlock(1)
    const length = await largestRoot() - 8

    await withStore(directory, { recordAfterMs: 60_000 }, async store => {
      await store.put(cid, bytes)
      await store.sync()
      await store.delete(cid)
      expect(await store.roots.compareAndSet('main', undefined, new Uint8Array(length))).to.equal(true)
    })
  })
})
