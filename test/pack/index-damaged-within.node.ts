import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { PackBlockstore } from '../../src/pack/index.ts'
import { turn } from '../../src/turn.ts'
import { Directories, numberedBlock, readBlock, withStore } from './stores.ts'

const count = 5_000

describe('an index of a pack store with damage that opening does not detect', function () {
  this.timeout(60_000)
  const directories = new Directories()
  let directory: string
  let index: string

  beforeEach(async () => {
    directory = await directories.make()
    index = join(directory, 'index.sqlite')
    await withStore(directory, {}, async store => {
      await all(store.putMany(Array.from({ length: count }, (_, i) => numberedBlock(i))))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Damages a page in the midst of the index, which has some of the blocks. */
  async function damage (): Promise<void> {
    const content = await readFile(index)
    const page = 4_096 * Math.floor(content.byteLength / 8_192)
    await writeFile(index, content.fill(0xff, page, page + 200))
  }

  async function expectAll (store: PackBlockstore): Promise<void> {
    for (let i = 0; i < count; i++) {
      const { cid, bytes } = numberedBlock(i)
      expect(await readBlock(store, cid)).to.deep.equal(bytes)
    }
  }

  it('hides no block from a reader, nor from the next one', async () => {
    await damage()
    await withStore(directory, { readonly: true }, expectAll)
    await withStore(directory, { readonly: true }, expectAll)
  })

  it('hides no block from a listing', async () => {
    await damage()
    await withStore(directory, { readonly: true }, async store => {
      expect(await all(store.getAll())).to.have.lengthOf(count)
    })
  })

  it('is reported to a writer, and rebuilt by the next one', async () => {
    await damage()
    const outcomes = new Set<string>()

    await withStore(directory, {}, async store => {
      for (let i = 0; i < count; i++) {
        const { cid, bytes } = numberedBlock(i)
        outcomes.add(await readBlock(store, cid).then(read => Buffer.compare(read, bytes) === 0 ? 'read' : 'wrong', (err: unknown) => err instanceof Error ? err.name : 'unknown'))
      }

      await expect(store.verify()).to.eventually.be.rejected.with.include({ name: 'CorruptStoreError', path: index })
      await expect(store.gc({ roots: [], links: () => [] })).to.eventually.be.rejected.with.include({ name: 'CorruptStoreError', path: index })
      await store.put(numberedBlock(count).cid, numberedBlock(count).bytes)
      expect(await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)
    })

    expect([...outcomes].sort()).to.deep.equal(['CorruptStoreError', 'read'])
    await withStore(directory, {}, async store => {
      await expectAll(store)
      expect(await readBlock(store, numberedBlock(count).cid)).to.deep.equal(numberedBlock(count).bytes)
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
      expect(await store.verify()).to.deep.include({ blocks: count + 1, problems: [] })
    })
  })

  it('does not affect verify()', async () => {
    await damage()
    expect(await new PackBlockstore(directory).verify()).to.deep.include({ blocks: count, problems: [] })
    await withStore(directory, { readonly: true }, async store => {
      expect(await store.verify()).to.deep.include({ blocks: count, problems: [] })
    })
  })

  it('still reports a missing end of the log', async () => {
    const segment = join(directory, 'segment-00000001.car')
    const { length } = await readFile(segment)
    await withStore(directory, {}, async store => {
      await store.put(numberedBlock(count).cid, numberedBlock(count).bytes)
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
    })
    await truncate(segment, length)
    await damage()

    for (const readonly of [true, false]) {
      await expect(new PackBlockstore(directory, { readonly }).open()).to.eventually.be.rejected.with.include({ name: 'CorruptStoreError', path: segment })
    }

    const { problems } = await new PackBlockstore(directory).verify()
    expect(problems.map(({ kind }) => kind)).to.deep.equal(['end'])
  })
})

describe('an index of a pack store that a reader cannot read', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('hides no block from a listing', async () => {
    const directory = await directories.make()
    await withStore(directory, {}, async store => {
      await all(store.putMany(Array.from({ length: 10 }, (_, i) => numberedBlock(i))))
    })
    await withStore(directory, { readonly: true }, async store => {
      // a reader holds the index for as long as that
      await turn()
      using writer = new DatabaseSync(join(directory, 'index.sqlite'))
      writer.exec('BEGIN EXCLUSIVE')
      expect(await all(store.getAll())).to.have.lengthOf(10)
    })
  })
})
