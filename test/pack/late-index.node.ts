import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxChanges, maxHeldChanges } from '../../src/pack/block-index/index-overlay.ts'
import { readSettings } from '../../src/pack/options.ts'
import { openWriter } from '../../src/pack/writing/open-writer.ts'
import { changedFiles } from './changed-files.ts'
import { expectBlocks } from './expect-blocks.ts'
import { Directories, numberedBlock, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

describe('a pack store with an index locked by a long read', function () {
  this.timeout(180_000)
  const directories = new Directories()
  let directory: string
  let syncs: number

  const files = changedFiles(file => ({
    async sync () {
      syncs++
      await file.sync()
    }
  }))

  beforeEach(async () => {
    directory = await directories.make()
    syncs = 0
    await withStore(directory, {}, async () => {})
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  function holdIndex (): DatabaseSync {
    const reader = new DatabaseSync(join(directory, 'index.sqlite'), { readOnly: true })
    reader.exec('BEGIN; SELECT * FROM meta')

    return reader
  }

  function * numberedBlocks (count: number): Generator<TestBlock> {
    for (let number = 0; number < count; number++) {
      yield numberedBlock(number)
    }
  }

  it('retries the index now and then, not with every put', async () => {
    const count = 2 * maxChanges + 200
    using reader = holdIndex()

    await withStore(directory, { files, durability: 'none' }, async store => {
      const [before, start] = [syncs, performance.now()]
      // an attempt makes the log durable first
      await all(store.putMany(numberedBlocks(count)))
      expect(syncs - before).to.be.within(1, 3 + (performance.now() - start) / 5_000)
      reader.exec('COMMIT')
    })
    expect(reader.prepare('SELECT COUNT(*) AS count FROM blocks').get()?.count).to.equal(count)

    await withStore(directory, { readonly: true }, async store => expectBlocks(store, [numberedBlock(0), numberedBlock(count - 1)]))
  })

  it('refuses puts and deletions beyond the memory limit until the index is writable', async () => {
    const [first, second] = [numberedBlock(1), numberedBlock(2)]
    const path = join(directory, 'index.sqlite')
    const session = await openWriter(directory, readSettings({ files }))

    try {
      await session.put(first.cid, first.bytes)

      for (let number = 0; number < maxHeldChanges; number++) {
        // as so many deletions leave it
        const key = new Uint8Array(35)
        new DataView(key.buffer).setUint32(31, number)
        session.overlay.set(key, undefined)
      }

      using reader = holdIndex()
      await expect(session.put(second.cid, second.bytes)).to.eventually.be.rejected.with.include({ name: 'StoreStateError', path })
      await expect(session.delete(first.cid)).to.eventually.be.rejected.with.include({ name: 'StoreStateError', path })
      expect(session.putNow(second.cid, second.bytes, {})).to.equal(false)
      expect(session.overlay.size).to.equal(maxHeldChanges + 1)
      // what is there can be read and published
      expect(session.find(first.cid.bytes.subarray(1))).to.include({ length: 4 })
      await session.publish(new Map([['main', Uint8Array.of(1)]]))

      reader.exec('COMMIT')
      await session.flush()
      await session.put(second.cid, second.bytes)
      expect(session.overlay.size).to.equal(1)
    } finally {
      await session.close()
    }

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      expect(await readBlock(store, first.cid)).to.deep.equal(first.bytes)
      expect(await readBlock(store, second.cid)).to.deep.equal(second.bytes)
    })
  })
})
