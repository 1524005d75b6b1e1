import { expect } from 'aegir/chai'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { maxChanges } from '../../src/pack/catch-up.ts'
import { HeldFiles } from './held-files.ts'
import { Directories, withStore } from './stores.ts'

describe('deleting from a pack store', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store with some blocks, which are in its index; it compares none of them with its CID */
  async function filled (count: number): Promise<{ directory: string, cids: CID[] }> {
    const directory = await directories.make()
    const cids = Array.from({ length: count }, (_, i) => cidOf(i))
    await withStore(directory, {}, async store => {
      await all(store.putMany(cids.map(cid => ({ cid, bytes: new Uint8Array(1) }))))
    })

    return { directory, cids }
  }

  it('gives the event loop turns, so that an abort takes effect', async () => {
    const { directory, cids } = await filled(20_000)

    await withStore(directory, {}, async store => {
      const abort = new AbortController()
      setTimeout(() => { abort.abort(new Error('stop')) }, 5)

      await expect(all(store.deleteMany(cids, { signal: abort.signal }))).to.eventually.be.rejectedWith('stop')
      expect(await store.has(cids[0])).to.equal(false)
      expect(await store.has(cids[cids.length - 1])).to.equal(true)
    })
  })

  it('waits for the index, where that has too many changes to take', async () => {
    const { directory, cids } = await filled(2 * maxChanges + 100)
    const files = new HeldFiles()

    await withStore(directory, { files }, async store => {
      const release = files.holdSyncs()
      let deleted = 0
      const deleting = (async () => {
        for (const cid of cids) {
          await store.delete(cid)
          deleted++
        }
      })()
      await files.reached
      await new Promise(resolve => { setTimeout(resolve, 10) })
      const deletedBefore = deleted
      release()
      await deleting

      expect(deletedBefore).to.equal(2 * maxChanges + 1)
      expect(await all(store.getAll())).to.deep.equal([])
    })
  })
})

function cidOf (number: number): CID {
  const digest = new Uint8Array(32)
  new DataView(digest.buffer).setUint32(0, number)
  new DataView(digest.buffer).setUint32(28, number)

  return CID.createV1(0x55, Digest.create(0x12, digest))
}
