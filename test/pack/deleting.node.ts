import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxChanges } from '../../src/pack/block-index/index-overlay.ts'
import { hostFiles } from '../../src/pack/files/files.ts'
import { maxPublishedBytes } from '../../src/pack/writing/log-writer.ts'
import { changedFiles } from './changed-files.ts'
import { HeldFiles } from './held-files.ts'
import { blocks, Directories, numberedBlock, withStore } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'
import type { CID } from 'multiformats/cid'

describe('deleting from a pack store', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store with some blocks, which are in its index */
  async function filled (count: number): Promise<{ directory: string, cids: CID[] }> {
    const directory = await directories.make()
    const put = Array.from({ length: count }, (_, i) => numberedBlock(i))
    await withStore(directory, {}, async store => {
      await all(store.putMany(put))
    })

    return { directory, cids: put.map(({ cid }) => cid) }
  }

  it('yields to the event loop, so that an abort takes effect', async () => {
    const { directory, cids } = await filled(20_000)

    await withStore(directory, {}, async store => {
      const abort = new AbortController()
      setTimeout(() => { abort.abort(new Error('stop')) }, 5)

      await expect(all(store.deleteMany(cids, { signal: abort.signal }))).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
      expect(await store.has(cids[0])).to.equal(false)
      expect(await store.has(cids[cids.length - 1])).to.equal(true)
    })
  })

  it('waits for the index when it has too many pending changes', async () => {
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

  it('is recorded beside roots that nearly fill a record', async () => {
    const count = 4_000
    const { directory, cids } = await filled(count)
    const [added] = await blocks(1, 1_000)
    const root = new Uint8Array(maxPublishedBytes - 1_000)

    await withStore(directory, {}, async store => {
      await store.roots.compareAndSet('main', undefined, root)
      await all(store.deleteMany(cids.slice(1)))
      await store.put(added.cid, added.bytes)
      await store.sync()
      await expect(store.roots.compareAndSet('other', undefined, new Uint8Array(2_000))).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
    })

    for (const hasIndex of [true, false]) {
      if (!hasIndex) {
        await rm(join(directory, 'index.sqlite'))
      }

      await withStore(directory, {}, async store => {
        expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.have.members([String(cids[0]), String(added.cid)])
        expect(await store.roots.get('main')).to.deep.equal(root)
      })
    }
  })

  it('survives a kill during a compaction with more deletions than one record holds', async () => {
    const directory = await directories.make()
    const put = Array.from({ length: 12_000 }, (_, i) => numberedBlock(i))
    // so that their segment stays
    const large = numberedBlock(put.length, 2 ** 20)
    const killed: string[] = []
    let isCompacting = false
    const files = changedFiles(file => ({
      async write (bytes, position) {
        await file.write(bytes, position)

        if (isCompacting) {
          killed.push(await directories.make())
          await cp(directory, killed[killed.length - 1], { recursive: true, filter: source => !source.includes('.sqlite') })
        }
      }
    }))

    await withStore(directory, { files, recordAfterMs: 60_000 }, async store => {
      await all(store.putMany([...put, large]))
      // a new segment, which has the deletions
      await store.compact()
      await all(store.deleteMany(put.map(({ cid }) => cid)))
      await store.sync()
      isCompacting = true
      await store.compact({ minGarbage: 0.5 })
      isCompacting = false
    })

    expect(killed).to.have.lengthOf.above(1)

    for (const copy of killed) {
      await withStore(copy, {}, async store => {
        expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.deep.equal([String(large.cid)])
      })
    }
  })

  it('is permanent if a compaction waits for a new segment for the block', async () => {
    const put = await blocks(12, 1_000)
    let onNewSegment = async (): Promise<void> => {}
    const files: Files = {
      ...hostFiles,
      async syncDirectory (directory) {
        await onNewSegment()
        await hostFiles.syncDirectory(directory)
      }
    }

    await withStore(await directories.make(), { files, segmentBytes: 4_096 }, async store => {
      await all(store.putMany(put))
      await all(store.deleteMany([0, 3, 6, 9].map(number => put[number].cid)))
      let segments = 0
      onNewSegment = async () => {
        // the first one is there before anything is moved
        if (++segments === 2) {
          await all(store.deleteMany(put.map(({ cid }) => cid)))
        }
      }
      await store.compact()

      expect(segments).to.be.at.least(2)
      expect(await all(store.getAll())).to.deep.equal([])
    })
  })
})
