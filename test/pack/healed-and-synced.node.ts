import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories, withStore } from './stores.ts'

describe('what a pack store reports as healed', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('is synced if a segment was missing', async () => {
    const directory = await directories.make()
    const put = await blocks(8, 1_000)
    await withStore(directory, { segmentBytes: 4_096 }, async store => {
      await all(store.putMany(put))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
    await rm(join(directory, 'segment-00000001.car'))
    const source = new MemoryBlockstore()
    put.forEach(({ cid, bytes }) => { source.put(cid, bytes) })
    let unsynced = 0
    const files = changedFiles(file => ({
      async write (bytes, position) {
        unsynced++
        await file.write(bytes, position)
      },
      async sync () {
        const before = unsynced
        await file.sync()
        unsynced -= before
      }
    }))

    await withStore(directory, { files, recordAfterMs: 60_000 }, async store => {
      const { healed } = await store.verify({ heal: source })
      expect(healed).to.have.lengthOf.above(1)
      expect(unsynced, 'writes that no sync came behind').to.equal(0)
    })
  })
})
