import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { PackBlockstore } from '../../src/pack/index.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 10_000 }

describe('a pack store with a truncated log', () => {
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  /** Three segments and a half, with a root published for every block: the number of blocks that it needs */
  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(60, 500)
    await withStore(directory, options, async store => {
      for (const [i, { cid, bytes }] of put.entries()) {
        await store.put(cid, bytes)
        await store.roots.compareAndSet('main', i === 0 ? undefined : Uint8Array.of(i), Uint8Array.of(i + 1))
      }
    })
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function segments (): Promise<string[]> {
    return (await readdir(directory)).filter(name => name.endsWith('.car')).sort().map(name => join(directory, name))
  }

  async function lastSegment (): Promise<string> {
    return (await segments()).at(-1) ?? ''
  }

  async function expectRefused (): Promise<void> {
    await expect(new PackBlockstore(directory, options).open()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    await expect(new PackBlockstore(directory, { ...options, readonly: true }).open()).to.eventually.be.rejected
      .with.property('message').that.match(/verify\(\{ drop: true \}\)/)
  }

  /** A writer that is gone without closing its store, in the middle of the last segment */
  async function crash (): Promise<void> {
    const copy = await directories.make()
    await withStore(directory, options, async store => {
      const more = await blocks(25, 500, 1_000)

      for (const { cid, bytes } of more) {
        await store.put(cid, bytes)
        await store.sync()
      }

      for (const name of await readdir(directory)) {
        await writeFile(join(copy, name), await readFile(join(directory, name)))
      }
    })
    directory = copy
  }

  it('is refused without its last segment until that is restored', async () => {
    const last = await lastSegment()
    const kept = `${last}.kept`
    await rename(last, kept)
    await expectRefused()
    await rename(kept, last)

    await withStore(directory, options, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(60))
    })
  })

  it('is refused without a segment that was committed to before a crash', async () => {
    await crash()
    await rm(await lastSegment())
    await expectRefused()
  })

  it('opens an older root after truncation', async () => {
    // of the commits in a segment the index hears of the first one, until the store is closed
    const copy = await directories.make()
    const ends: number[] = []
    const last = 'segment-00000002.car'
    directory = await directories.make()
    await withStore(directory, options, async store => {
      for (const [i, { cid, bytes }] of put.slice(0, 30).entries()) {
        await store.put(cid, bytes)
        await store.roots.compareAndSet('main', i === 0 ? undefined : Uint8Array.of(i), Uint8Array.of(i + 1))
        const found = (await segments()).map(path => basename(path))

        if (found.includes(last)) {
          ends.push((await readFile(join(directory, last))).byteLength)
        }

        if (ends.length === 3) {
          break
        }
      }

      for (const name of await readdir(directory)) {
        await writeFile(join(copy, name), await readFile(join(directory, name)))
      }
    })
    directory = copy
    const rootWith = async (length: number): Promise<number | undefined> => {
      await truncate(join(directory, last), length)

      return withStore(directory, { ...options, readonly: true }, async store => (await store.roots.get('main'))?.[0])
    }
    const root = await rootWith(ends[2]) ?? 0
    expect(await rootWith(ends[2] - 1)).to.equal(root - 1)
    expect(await rootWith(ends[0])).to.equal(root - 2)
    await truncate(join(directory, last), ends[0] - 1)
    await expectRefused()
  })

  it('opens without later commits if truncated to its length before a crash', async () => {
    // in the segment that a store is opened with, the index hears of no commit before the store is closed
    const [copy, segment] = [await directories.make(), 'segment-00000001.car']
    directory = await directories.make()
    await withStore(directory, {}, async store => store.roots.compareAndSet('main', undefined, Uint8Array.of(1)))
    const { byteLength } = await readFile(join(directory, segment))
    await withStore(directory, {}, async store => {
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))

      for (const name of await readdir(directory)) {
        await writeFile(join(copy, name), await readFile(join(directory, name)))
      }
    })
    await truncate(join(copy, segment), byteLength)

    await withStore(copy, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })
  })

  it('is refused if its last segment is truncated before the last commit', async () => {
    await truncate(await lastSegment(), 3_000)
    await expectRefused()
  })

  it('is refused while its index is locked, and the index keeps the end', async () => {
    await rm(await lastSegment())
    const database = new DatabaseSync(join(directory, 'index.sqlite'))
    database.exec('BEGIN EXCLUSIVE')

    await expect(new PackBlockstore(directory, options).open()).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    database.close()
    await expectRefused()
  })

  it('is refused if its index has a leftover table that cannot be dropped', async () => {
    await rm(await lastSegment())
    const database = new DatabaseSync(join(directory, 'index.sqlite'))
    database.exec('CREATE TABLE blocks_new (key BLOB)')
    // who reads keeps others from writing
    database.exec('BEGIN; SELECT * FROM meta')

    await expectRefused()
    database.close()
    await expectRefused()
  })

  it('opens if only the record written by close is missing', async () => {
    const last = await lastSegment()
    await truncate(last, (await readFile(last)).byteLength - 10)

    await withStore(directory, options, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(60))
    })
  })

  it('can be verified unopened: reports the loss and changes nothing', async () => {
    await rm(await lastSegment())
    const { problems, blocks: whole } = await new PackBlockstore(directory, options).verify()
    const lost = problems.filter(({ kind }) => kind === 'block')

    expect(problems[0].kind).to.equal('end')
    expect(lost).to.have.lengthOf.above(2)
    expect(lost.length + whole).to.equal(60)
    await expectRefused()
  })

  it('opens with the last remaining root once the loss is accepted', async () => {
    await rm(await lastSegment())
    const { dropped } = await new PackBlockstore(directory, options).verify({ drop: true })
    expect(dropped).to.have.lengthOf.above(2)

    await withStore(directory, options, async store => {
      const root = (await store.roots.get('main'))?.[0] ?? 0
      expect(root).to.equal(60 - dropped.length)
      expect((await store.verify()).problems).to.deep.equal([])

      for (const [i, { cid, bytes }] of put.entries()) {
        expect(await store.has(cid)).to.equal(i < root)

        if (i < root) {
          expect(await readBlock(store, cid)).to.deep.equal(bytes)
        }
      }

      await store.put(put[59].cid, put[59].bytes)
      await store.roots.compareAndSet('main', Uint8Array.of(root), Uint8Array.of(99))
    })
    await withStore(directory, { ...options, readonly: true }, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(99))
      expect(await readBlock(store, put[59].cid)).to.deep.equal(put[59].bytes)
    })
  })

  it('restores blocks from another store, but not the roots', async () => {
    await truncate(await lastSegment(), 1_000)
    const source = new MemoryBlockstore()
    put.forEach(({ cid, bytes }) => { source.put(cid, bytes) })
    const store = new PackBlockstore(directory, options)
    await expect(store.verify({ heal: source })).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    const { healed, dropped } = await store.verify({ heal: source, drop: true })
    expect(healed).to.have.lengthOf.above(2)
    expect(dropped).to.deep.equal([])

    await withStore(directory, options, async opened => {
      await expectBlocks(opened, put)

      expect((await opened.verify()).problems).to.deep.equal([])
    })
  })

  it('is reported as absent by verify() if nothing is there', async () => {
    const empty = await directories.make()
    await expect(new PackBlockstore(empty).verify({ drop: true })).to.eventually.be.rejected.with.property('name', 'NotFoundError')
    expect(await readdir(empty)).to.deep.equal([])
  })
})

describe('a damaged pack store without an index', () => {
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(60, 500)
    await withStore(directory, options, async store => {
      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        await store.sync()
      }
    })
    await rm(join(directory, 'index.sqlite'))
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  const first = (): string => join(directory, 'segment-00000001.car')

  async function expectNoneMissing (store: PackBlockstore): Promise<void> {
    for (const { cid, bytes } of put) {
      try {
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      } catch (err) {
        expect(err).to.have.property('name').that.is.oneOf(['CorruptStoreError', 'BlockMismatchError'])
      }
    }
  }

  /** Nothing that was put is called missing, and what was never put is told from it by its name alone where nothing is damaged. */
  async function expectTold (isDamaged: boolean): Promise<void> {
    const [never] = await blocks(1, 500, 5_000)

    // without and with the index that the first writer makes
    for (const readonly of [true, false, true]) {
      await withStore(directory, { ...options, readonly }, async store => {
        await expectNoneMissing(store)
        await expect(readBlock(store, never.cid)).to.eventually.be.rejected.with.property('name', isDamaged ? 'CorruptStoreError' : 'NotFoundError')
        expect((await store.verify()).problems.length > 0).to.equal(isDamaged)
      })
    }
  }

  it('reports a block as missing if nothing is damaged', async () => {
    await expectTold(false)
  })

  // from where a block's CID begins: the length, two bytes, stands before it. What a damaged digest names is a block that nobody has
  const parts: Record<string, { readonly offset: number, readonly kind: string }> = {
    length: { offset: -1, kind: 'bytes' },
    codec: { offset: 1, kind: 'bytes' },
    digest: { offset: 10, kind: 'block' }
  }

  Object.entries(parts).forEach(([part, { offset }]) => {
    it(`does not report a block as missing if its ${part} is damaged`, async () => {
      const bytes = await readFile(first())
      bytes[bytes.indexOf(put[3].cid.bytes) + offset] ^= 0x40
      await writeFile(first(), bytes)
      await expectTold(true)
    })
  })

  it('does not report a block as missing that may precede a damaged record', async () => {
    const bytes = await readFile(first())
    bytes[bytes.indexOf('dagfs-commit') + 40] ^= 1
    await writeFile(first(), bytes)
    await expectTold(true)
  })

  const rewriting: Record<string, (store: PackBlockstore, live: readonly TestBlock[]) => Promise<unknown>> = {
    'the store is compacted': async store => store.compact(),
    'garbage is collected': async (store, live) => store.gc({ roots: live.map(({ cid }) => cid), links: () => [], keepUncommitted: false })
  }

  Object.entries(rewriting).flatMap(rewriting => Object.entries(parts).map(part => [...rewriting, ...part] as const)).forEach(([event, rewrite, part, { offset, kind }]) => {
    it(`keeps a block with a damaged ${part}, and its report, when ${event}`, async () => {
      const live = put.filter((_, i) => i % 10 !== 0)
      const whole = await readFile(first())
      const bytes = Buffer.from(whole)
      bytes[bytes.indexOf(put[3].cid.bytes) + offset] ^= 0x40
      await writeFile(first(), bytes)

      await withStore(directory, options, async store => {
        for (const { cid } of put.filter(block => !live.includes(block))) {
          await store.delete(cid)
        }

        await rewrite(store, live)
        await expect(readBlock(store, put[3].cid)).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
        expect((await store.verify()).problems.map(problem => problem.kind)).to.include(kind)
      })
      // the second segment is whole, and has garbage
      expect(await readdir(directory)).to.include(basename(first())).and.not.include('segment-00000002.car')
      await writeFile(first(), whole)
      await rm(join(directory, 'index.sqlite'))

      await withStore(directory, options, async store => {
        expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.have.members(live.map(({ cid }) => String(cid)))
        expect(await readBlock(store, put[3].cid)).to.deep.equal(put[3].bytes)
        expect((await store.verify()).problems).to.deep.equal([])
      })
    })
  })

  it('does not report a block as missing if its segment is missing', async () => {
    await rm(join(directory, 'segment-00000002.car'))
    await expectTold(true)
  })

  it('does not report a block as missing if its segment was truncated', async () => {
    const bytes = await readFile(first())
    const record = bytes.lastIndexOf('dagfs-commit')
    const before = bytes.lastIndexOf(put[5].cid.bytes)
    expect(record).to.be.greaterThan(before)
    await truncate(first(), before + 200)
    await expectTold(true)
    await rm(join(directory, 'index.sqlite'))
    // where the section of the block begins, which is behind the record of the one before
    await truncate(first(), before - 2)
    await expectTold(true)
  })

  it('reports missing blocks again once the damage is dropped', async () => {
    await truncate(first(), 3_000)
    const [never] = await blocks(1, 500, 5_000)

    await withStore(directory, options, async store => {
      await store.verify({ drop: true })
      await expect(readBlock(store, never.cid)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
    })
  })

  it('accepts a put of a block that it could not find', async () => {
    await rm(join(directory, 'segment-00000002.car'))

    await withStore(directory, options, async store => {
      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      }
    })
  })
})

describe('a pack store with an index', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  const rewriting: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    'compact()': async store => store.compact(),
    'gc()': async store => store.gc({ roots: [], links: () => [], keepUncommitted: false })
  }

  Object.entries(rewriting).forEach(([name, rewrite]) => {
    it(`reports by ${name} which segment is missing, and recovers once it is back`, async () => {
      const [directory, elsewhere] = [await directories.make(), await directories.make()]
      const [path, away] = [directory, elsewhere].map(made => join(made, 'segment-00000002.car'))
      const put = await blocks(60, 500)
      await withStore(directory, options, async store => {
        await all(store.putMany(put))
      })
      await rename(path, away)

      await withStore(directory, options, async store => {
        await expect(rewrite(store)).to.eventually.be.rejected.with.include({ name: 'CorruptStoreError', path })
        await rename(away, path)

        expect(await all(store.getAll())).to.have.lengthOf(put.length)
      })
    })
  })

  it('finds by verify() a segment truncated behind a record', async () => {
    const directory = await directories.make()
    const put = await blocks(60, 500)
    await withStore(directory, options, async store => {
      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        await store.sync()
      }
    })
    const path = join(directory, 'segment-00000001.car')
    const bytes = await readFile(path)
    await truncate(path, bytes.indexOf(put[5].cid.bytes) - 2)

    await withStore(directory, options, async store => {
      const { problems } = await store.verify()
      expect(problems.filter(({ kind }) => kind === 'block')).to.have.lengthOf.above(3)
    })
  })

  it('compacts and collects around a damaged segment, which verify() heals', async () => {
    const directory = await directories.make()
    const [gone, ...live] = await blocks(60, 500)
    await withStore(directory, options, async store => {
      await putAll(store, [gone, ...live])
      await store.delete(gone.cid)
    })
    const path = join(directory, 'segment-00000001.car')
    const bytes = await readFile(path)
    bytes[bytes.indexOf(live[3].cid.bytes) - 1] ^= 0x40
    await writeFile(path, bytes)

    await withStore(directory, options, async store => {
      await store.compact()
      expect(await store.gc({ roots: live.map(({ cid }) => cid), links: () => [], keepUncommitted: false })).to.include({ freedBlocks: 0 })
      expect(await readFile(path)).to.deep.equal(bytes)
      await store.verify({ drop: true })
      expect((await store.verify()).problems).to.deep.equal([])

      await expectBlocks(store, live)
    })
    expect(await readdir(directory)).to.not.include(basename(path))
  })

  it('does not report blocks that are put during verify()', async () => {
    await withStore(await directories.make(), options, async store => {
      const put = await blocks(400, 500)
      const verifying = (async () => (await store.verify()).problems)()

      await putAll(store, put)

      expect(await verifying).to.deep.equal([])
    })
  })
})
