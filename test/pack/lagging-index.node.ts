import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxChanges } from '../../src/pack/block-index/index-overlay.ts'
import { keyOf } from '../../src/pack/format/section.ts'
import { readSettings } from '../../src/pack/options.ts'
import { ReaderSession } from '../../src/pack/reading/reader-session.ts'
import { Directories, numberedBlock, readBlock, withStore } from './stores.ts'
import { watchedFiles } from './watched-files.ts'
import type { TestBlock } from './stores.ts'

// the first of them are all that the index knows, and every second of these is deleted later
const knownCount = 100
const count = 2 * maxChanges + knownCount
const absent = numberedBlock(count)

describe('a reader of a pack store with an index that lags far behind', function () {
  this.timeout(120_000)
  const directories = new Directories()
  let directory: string

  before(async () => {
    directory = await directories.make()
    const index = join(directory, 'index.sqlite')
    await withStore(directory, {}, async store => {
      await all(store.putMany(numberedBlocks(0, knownCount)))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
    await cp(index, `${directory}.sqlite`)
    await withStore(directory, {}, async store => {
      await all(store.deleteMany(deleted().map(({ cid }) => cid)))
      await store.sync()
      await all(store.putMany(numberedBlocks(knownCount, count)))
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
    })
    await cp(`${directory}.sqlite`, index)
  })

  after(async () => {
    await directories.removeAll()
  })

  it('reads the unindexed part once, not with every root and miss', async () => {
    let read = 0
    const files = watchedFiles(length => { read += length })

    await withStore(directory, { readonly: true, files }, async store => {
      read = 0

      for (let i = 0; i < 3; i++) {
        expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
        expect(await store.has(absent.cid)).to.equal(false)
      }

      expect(read).to.equal(0)
    })
  })

  it('holds no more than a limit of it in memory', async () => {
    const session = await ReaderSession.open(directory, readSettings({ readonly: true }))

    try {
      expect(session.overlay.size).to.be.most(maxChanges)
      expect(session.find(keyOf(numberedBlock(knownCount).cid))).to.include({ length: 4 })
    } finally {
      await session.close()
    }
  })

  it('has all current blocks and no deleted one', async () => {
    await withStore(directory, { readonly: true }, async store => {
      for (const number of [1, knownCount - 1, knownCount, count / 2, count - 1]) {
        const { cid, bytes } = numberedBlock(number)
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      }

      for (const { cid } of deleted()) {
        expect(await store.has(cid)).to.equal(false)
      }

      expect(await store.verify()).to.deep.include({ blocks: count - deleted().length, problems: [] })
      let given = 0

      for await (const { cid } of store.getAll()) {
        given += cid.code === 0x55 ? 1 : 0
      }

      expect(given).to.equal(count - deleted().length)
    })
  })

  it('follows new blocks if the index cannot be written', async () => {
    const other = await directories.make()
    await withStore(other, {}, async store => store.roots.compareAndSet('main', undefined, Uint8Array.of(1)))
    const session = await ReaderSession.open(other, readSettings({ readonly: true }))

    try {
      await withStore(other, {}, async store => {
        using index = new DatabaseSync(join(other, 'index.sqlite'), { readOnly: true })
        index.exec('BEGIN; SELECT * FROM meta')

        for (let from = 0; from < 4 * maxChanges; from += maxChanges) {
          await all(store.putMany(numberedBlocks(from, from + maxChanges)))
          await store.sync()
          await session.refresh()
          expect(session.overlay.size).to.be.most(maxChanges)
          expect(session.find(keyOf(numberedBlock(from).cid))).to.include({ length: 4 })
          expect(session.find(keyOf(numberedBlock(from + maxChanges - 1).cid))).to.include({ length: 4 })
        }
      })
    } finally {
      await session.close()
    }
  })
})

function deleted (): TestBlock[] {
  return [...numberedBlocks(0, knownCount)].filter((_, i) => i % 2 === 0)
}

function * numberedBlocks (from: number, to: number): Generator<TestBlock> {
  for (let number = from; number < to; number++) {
    yield numberedBlock(number)
  }
}
