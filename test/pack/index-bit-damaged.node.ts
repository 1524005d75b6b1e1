import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { openDatabase } from '../../src/pack/files/sqlite.ts'
import { keyOf } from '../../src/pack/format/section.ts'
import { changedFiles } from './changed-files.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

/** What SQLite does not see: it has no checksums */
const damages = {
  'a bit of a key': 'UPDATE blocks SET key = ? WHERE key = ?',
  'a row': 'DELETE FROM blocks WHERE key != ? AND key = ?',
  'a segment number, now of no segment': 'UPDATE blocks SET segment = 65 WHERE key != ? AND key = ?',
  'a segment number, now of another one': 'UPDATE blocks SET segment = segment + 1 WHERE key != ? AND key = ?',
  'an offset': 'UPDATE blocks SET offset = offset + 256 WHERE key != ? AND key = ?',
  'a length': 'UPDATE blocks SET length = length + 1 WHERE key != ? AND key = ?'
}

describe('an index of a pack store with damage that SQLite does not detect', function () {
  this.timeout(60_000)
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(20, 1_000)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  const kept = (): TestBlock[] => put.filter((_, i) => i % 5 > 0)
  const operations: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    'gc()': async store => store.gc({ roots: kept().map(({ cid }) => cid), links: () => [] }),
    'compact()': async store => store.compact(),
    'verify({ drop: true })': async store => store.verify({ drop: true })
  }

  const requireKept = async (statement: string, operation: (store: PackBlockstore) => Promise<unknown>): Promise<void> => {
    await withStore(directory, { segmentBytes: 8_192 }, async store => {
      await all(store.putMany(put))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
      await all(store.deleteMany(put.filter((_, i) => i % 10 === 0).map(({ cid }) => cid)))
    })
    change(directory, statement, put[7])

    await withStore(directory, {}, async store => {
      // it may end with an error, as long as nothing is lost
      await operation(store).catch((err: unknown) => expect(err).to.have.property('name', 'BlockMismatchError'))
      await store.verify({ drop: true })
      await store.compact()
      await expectBlocks(store, kept())
    })
    // the segments are the store
    await rm(join(directory, 'index.sqlite'))
    await withStore(directory, {}, async store => expectBlocks(store, kept()))
  }

  for (const [what, statement] of Object.entries(damages)) {
    for (const [name, operation] of Object.entries(operations)) {
      it(`loses no block by ${name} with damage to ${what}`, async () => requireKept(statement, operation))
    }
  }

  it('is repaired by a collection', async () => {
    await withStore(directory, {}, async store => {
      await all(store.putMany(put))
    })
    change(directory, damages['a bit of a key'], put[7])

    await withStore(directory, {}, async store => {
      expect(await store.has(put[7].cid)).to.equal(false)
      expect(await store.gc({ roots: kept().map(({ cid }) => cid), links: () => [] })).to.deep.equal({ reached: 16, freedBlocks: 4, freedBytes: 4_000 })
      await expectBlocks(store, kept())
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('leads to no second record of a deletion older than a put', async () => {
    const [older, again] = put
    await withStore(directory, {}, async store => {
      await all(store.putMany([older, again]))
    })
    await withStore(directory, { segmentBytes: 4_096 }, async store => {
      await store.delete(again.cid)
      await store.sync()
      // so that the record with the deletion is in a segment that is written anew
      await all(store.putMany(put.slice(2)))
      await store.delete(put[2].cid)
      await store.put(again.cid, again.bytes)
    })
    change(directory, damages['a row'], again)

    await withStore(directory, {}, async store => {
      await store.compact()
      expect(await readBlock(store, again.cid)).to.deep.equal(again.bytes)
    })
    await rm(join(directory, 'index.sqlite'))
    await withStore(directory, {}, async store => {
      expect(await readBlock(store, again.cid)).to.deep.equal(again.bytes)
    })
  })

  it('is not suspected when a block is deleted before or during a read', async () => {
    for (let nth = 0; nth <= 8; nth++) {
      await deleteAtRead(await directories.make(), nth, put)
    }
  })
})

/** Deletes the last of some blocks at the nth read of a compaction, or before it. */
async function deleteAtRead (directory: string, nth: number, put: readonly TestBlock[]): Promise<void> {
  const { cid } = put[put.length - 1]
  await withStore(directory, {}, async store => {
    await all(store.putMany(put))
  })
  let onRead = async (): Promise<void> => {}
  const files = changedFiles(file => ({
    async read (bytes, position) {
      await onRead()

      return file.read(bytes, position)
    }
  }))

  // no record is written by itself
  await withStore(directory, { files, recordAfterMs: 60_000 }, async store => {
    let reads = 0
    onRead = async () => {
      if (++reads === nth) {
        await store.delete(cid)
      }
    }

    if (nth === 0) {
      await store.delete(cid)
    }

    await store.compact()

    if (reads >= nth) {
      expect(await store.has(cid), `deleted at read ${nth}`).to.equal(false)
    }
  })
}

function change (directory: string, statement: string, { cid }: TestBlock): void {
  const key = keyOf(cid)
  const damaged = key.slice()
  damaged[damaged.byteLength - 1] ^= 1
  const database = openDatabase(join(directory, 'index.sqlite'))
  expect(database.prepare(statement).run(damaged, key).changes).to.equal(1)
  database.close()
}
