import { chmod, cp, mkdir, readdir, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { encodeCommit } from '../../src/pack/format/record.ts'
import { encodeSegmentHead } from '../../src/pack/format/segment-head.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { asNobody } from '../as-nobody.ts'
import { expectBlocks } from './expect-blocks.ts'
import { block, blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

describe('the pack store refuses', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  async function expectRefused (directory: string, options: ConstructorParameters<typeof PackBlockstore>[1], name: string): Promise<void> {
    await expect(new PackBlockstore(directory, options).open()).to.eventually.be.rejected.with.property('name', name)
  }

  it('a missing directory option, and says what it needs', () => {
    for (const directory of [undefined, { directory: 'store' }]) {
      expect(() => new PackBlockstore(directory as never)).to.throw().with.include({ name: 'InvalidOptionError', option: 'directory' })
    }
  })

  it('an unknown option, and lists the public ones', () => {
    const make = (): unknown => new PackBlockstore('store', { segmentSize: 1 } as object)

    expect(make).to.throw(/segmentBytes, recordAfterMs$/).with.include({ name: 'InvalidOptionError', option: 'segmentSize' })
  })

  it('gc() without roots and links, and names fs.gc()', async () => {
    await withStore(await directories.make(), {}, async store => {
      for (const options of [undefined, {}, { roots: [] }]) {
        await expect(store.gc(options as never)).to.eventually.be.rejectedWith('fs.gc()').with.include({ name: 'InvalidOptionError', option: 'roots' })
      }
    })
  })

  it('a directory with other files, and leaves it unchanged', async () => {
    const directory = await directories.make()
    await writeFile(join(directory, 'letter.txt'), 'dear')
    await expectRefused(directory, {}, 'CorruptStoreError')

    expect(await readdir(directory)).to.deep.equal(['letter.txt'])
  })

  it('a store without segments until its index is deleted', async () => {
    const directory = await directories.make()
    const put = await blocks(3, 500)
    await withStore(directory, {}, async store => {
      await store.put(put[0].cid, put[0].bytes)
    })
    const segment = join(directory, 'segment-00000001.car')
    await rename(segment, `${directory}.car`)

    for (const options of [{}, { readonly: true }]) {
      await expectRefused(directory, options, 'CorruptStoreError')
    }

    await rename(`${directory}.car`, segment)
    await withStore(directory, {}, async store => {
      expect(await readBlock(store, put[0].cid)).to.deep.equal(put[0].bytes)
    })
    await rm(segment)
    await rm(join(directory, 'index.sqlite'))
    await withStore(directory, {}, async store => {
      expect(await store.has(put[0].cid)).to.equal(false)
    })
  })

  it('to open while it is closed, and releases the lock', async () => {
    const directory = await directories.make()
    const store = new PackBlockstore(directory)
    const opening = store.open()
    const [opened] = await Promise.allSettled([opening, store.close()])

    expect(opened).to.have.nested.property('reason.name', 'StoreStateError')
    await withStore(directory, {}, async () => {})
    await store.open()
    await store.close()
  })

  it('a directory without a store if it may not create one', async () => {
    const directory = await directories.make()
    await expectRefused(directory, { createIfMissing: false }, 'NotFoundError')
    await expectRefused(join(directory, 'absent'), { readonly: true }, 'NotFoundError')

    expect(await readdir(directory)).to.deep.equal([])
  })

  it('a store of a newer version, and leaves it unchanged', async () => {
    const directory = await directories.make()
    const fields = { store: new Uint8Array(16), segment: 1, id: new Uint8Array(16) }
    const head = await encodeSegmentHead(fields)
    const newer = dagCbor.encode({ 'dagfs-segment': { version: 2, ...fields } })
    const { cid } = await block(newer, 0x71)
    const header = dagCbor.encode({ roots: [cid], version: 1 })
    const bytes = Buffer.concat([Uint8Array.of(header.byteLength), header, Uint8Array.of(36 + newer.byteLength), cid.bytes, newer])
    expect(bytes.byteLength).to.equal(head.byteLength)
    await writeFile(join(directory, 'segment-00000001.car'), bytes)

    await expectRefused(directory, {}, 'UnsupportedVersionError')
    await expectRefused(directory, { readonly: true }, 'UnsupportedVersionError')
    expect(Buffer.compare(await readFile(join(directory, 'segment-00000001.car')), bytes)).to.equal(0)
  })

  it('a second writer in one process until the first is closed', async () => {
    const directory = await directories.make()
    await withStore(directory, {}, async () => expectRefused(directory, {}, 'StoreLockedError'))
    await withStore(directory, {}, async () => {})
  })

  it('calls before it is opened and after it is closed', async () => {
    const directory = await directories.make()
    const store = new PackBlockstore(directory)
    const [{ cid, bytes }] = await blocks(1, 10)
    await expect(readBlock(store, cid)).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    await store.open()
    await store.close()
    await store.close()
    await expect((async () => store.put(cid, bytes))()).to.eventually.be.rejected.with.property('name', 'StoreStateError')
  })

  it('writes when opened for reading', async () => {
    const directory = await directories.make()
    const [{ cid, bytes }] = await blocks(1, 10)
    await withStore(directory, {}, async () => {})
    await withStore(directory, { readonly: true }, async store => {
      await expect((async () => store.put(cid, bytes))()).to.eventually.be.rejected.with.property('name', 'StoreStateError')
      await expect(store.delete(cid)).to.eventually.be.rejected.with.property('name', 'StoreStateError')
      await expect(store.roots.compareAndSet('main', undefined, bytes)).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    })
  })

  it('blocks that it cannot check or store', async () => {
    const directory = await directories.make()
    const identity = CID.createV1(0x55, Digest.create(0, Uint8Array.of(1)))
    const large = await block(new Uint8Array(2 ** 21 + 1))

    await withStore(directory, {}, async store => {
      await expect((async () => store.put(identity, Uint8Array.of(1)))()).to.eventually.be.rejected.with.property('name', 'UnsupportedHashError')
      await expect((async () => store.put(large.cid, large.bytes))()).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
      expect(await store.has(identity)).to.equal(false)
    })
  })

  it('wrong bytes for a block that it has', async () => {
    const directory = await directories.make()
    const [right, wrong] = await blocks(2, 100)

    await withStore(directory, {}, async store => {
      await store.put(right.cid, right.bytes)
    })
    await withStore(directory, {}, async store => {
      await expect((async () => store.put(right.cid, wrong.bytes))()).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
      expect(await readBlock(store, right.cid)).to.deep.equal(right.bytes)
    })
  })

  it('a block that looks like its own commit record', async () => {
    const directory = await directories.make()

    await withStore(directory, {}, async () => {})
    const segment = await readFile(join(directory, 'segment-00000001.car'))
    const magic = Buffer.from('dagfs-commit')
    const { 'dagfs-commit': { store: name, id } } = dagCbor.decode<{ 'dagfs-commit': { store: Uint8Array, id: Uint8Array } }>(segment.subarray(segment.indexOf(magic) - 2))
    const forged = encodeCommit({ store: name, id, sequence: 1_000, durable: 1_000, segment: 1, from: segment.byteLength, to: segment.byteLength, digest: new Uint8Array(32), previous: undefined, roots: new Map([['main', Uint8Array.of(66)]]), segments: [1], removed: [] })
    const { cid, bytes } = await block(forged, 0x71)
    await withStore(directory, {}, async store => {
      await store.put(cid, bytes)
    })
    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.equal(undefined)
      expect(await readBlock(store, cid)).to.deep.equal(bytes)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })
})

/** Does something while nothing can be written to a directory. */
async function whileUnwritable (directory: string, work: () => Promise<void>): Promise<void> {
  try {
    await asNobody(directory, async () => {
      await chmod(directory, 0o500)
      await work()
    })
  } finally {
    await chmod(directory, 0o700)
  }
}

describe('the pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('reads in a read-only directory', async () => {
    const directory = await directories.make()
    const [{ cid, bytes }] = await blocks(1, 10)
    await withStore(directory, {}, async store => {
      await store.put(cid, bytes)
    })

    await whileUnwritable(directory, async () => {
      await withStore(directory, { readonly: true }, async store => {
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      })
      await expect(withStore(directory, {}, async () => {})).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    })
  })

  it('reads a read-only directory after its writer was killed', async () => {
    const [directory, copy] = [await directories.make(), await directories.make()]
    const put = await blocks(20, 100)
    await withStore(directory, {}, async store => {
      await putAll(store, put)
      await store.sync()
      await cp(directory, copy, { recursive: true })
    })

    await whileUnwritable(copy, async () => {
      await withStore(copy, { readonly: true }, async store => expectBlocks(store, put))
    })
  })

  it('stores a block once, however many puts are concurrent', async () => {
    const directory = await directories.make()
    const [{ cid, bytes }] = await blocks(1, 2 ** 20)

    await withStore(directory, {}, async store => {
      async function * source (): AsyncGenerator<Uint8Array> {
        yield bytes
      }

      await Promise.all(Array.from({ length: 50 }, async (_, i) => store.put(cid, i % 2 === 0 ? bytes : source())))
      expect((await store.verify()).bytes).to.be.below(bytes.byteLength + 2_000)
    })
  })

  it('reports a missing segment, and heals it', async () => {
    const directory = await directories.make()
    const put = await blocks(60, 500)
    const options = { segmentBytes: 10_000 }
    await withStore(directory, options, async store => putAll(store, put))
    const kept = join(await directories.make(), 'kept.car')
    await rename(join(directory, 'segment-00000002.car'), kept)

    await withStore(directory, options, async store => {
      const { problems } = await store.verify()
      const lost = problems.flatMap(({ kind, cid }) => kind === 'block' && cid !== undefined ? [cid] : [])
      expect(problems[0].kind).to.equal('segment')
      expect(lost).to.have.lengthOf.above(10)
      await expect(readBlock(store, lost[0])).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')

      async function * car (): AsyncGenerator<Uint8Array> {
        yield await readFile(kept)
      }

      const { healed } = await store.verify({ heal: car() })
      expect(healed).to.have.lengthOf(lost.length)
      expect((await store.verify()).problems).to.deep.equal([])

      await expectBlocks(store, put)
    })
  })

  it('opens the previous root after truncation', async () => {
    for (const hasIndex of [true, false]) {
      const directory = await directories.make()
      const put = await blocks(38, 500)
      const options = { segmentBytes: 10_000 }
      const ends: Array<{ name: string, length: number }> = []
      await withStore(directory, options, async store => {
        for (const [i, { cid, bytes }] of put.entries()) {
          await store.put(cid, bytes)
          await store.roots.compareAndSet('main', i === 0 ? undefined : Uint8Array.of(i), Uint8Array.of(i + 1))
          const name = (await readdir(directory)).filter(file => file.endsWith('.car')).sort().at(-1) ?? ''
          ends.push({ name, length: (await readFile(join(directory, name))).byteLength })
        }
      })
      const cut = ends[36]
      expect(cut.name).to.equal(ends[37].name)
      await truncate(join(directory, cut.name), cut.length + 100)

      if (hasIndex) {
        await expect(new PackBlockstore(directory, options).open()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
        await new PackBlockstore(directory, options).verify({ drop: true })
      } else {
        await rm(join(directory, 'index.sqlite'))
      }

      await withStore(directory, options, async store => {
        expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(37))

        await expectBlocks(store, put.slice(0, 37))

        expect(await store.has(put[37].cid)).to.equal(false)
        expect((await store.verify()).problems).to.deep.equal([])
      })
    }
  })

  it('heals a truncated segment when the blocks are put again', async () => {
    const directory = await directories.make()
    const put = await blocks(60, 500)
    const options = { segmentBytes: 10_000 }
    await withStore(directory, options, async store => putAll(store, put))
    await truncate(join(directory, 'segment-00000002.car'), 5_000)

    await withStore(directory, options, async store => {
      expect((await store.verify()).problems.filter(({ kind }) => kind === 'block')).to.have.lengthOf.above(5)

      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      }

      await store.verify({ drop: true })
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('is readable by a reader during garbage collection', async () => {
    const directory = await directories.make()
    const put = await blocks(200, 500)
    const live = put.filter((_, i) => i % 2 === 0)
    const options = { segmentBytes: 10_000 }

    await withStore(directory, options, async store => {
      await putAll(store, put)
      await store.roots.compareAndSet('main', undefined, live[0].cid.bytes)

      const reader = new PackBlockstore(directory, { readonly: true })
      await reader.open()
      const reads = readAll(reader, live, 5)
      const collected = await store.gc({ roots: live.map(({ cid }) => cid), links: () => [] })
      await reads
      await readAll(reader, live, 1)
      await reader.close()

      expect(collected.freedBlocks).to.equal(100)
      expect((await readdir(directory)).filter(name => name.endsWith('.car')).length).to.be.below(8)
    })
  })

  it('can be verified and listed during garbage collection', async () => {
    const directory = await directories.make()
    const put = await blocks(300, 500)
    const live = put.filter((_, i) => i % 2 === 0)

    await withStore(directory, { segmentBytes: 10_000 }, async store => {
      await putAll(store, put)
      await store.roots.compareAndSet('main', undefined, live[0].cid.bytes)
      const [verified, listed] = await Promise.all([
        store.verify(),
        all(store.getAll()),
        store.gc({ roots: live.map(({ cid }) => cid), links: () => [] })
      ])

      expect(verified.problems).to.deep.equal([])
      expect(new Set(listed.map(({ cid }) => String(cid)))).to.include.all.keys(live.map(({ cid }) => String(cid)))
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('keeps a block that is put during garbage collection', async () => {
    const directory = await directories.make()
    const [dead, ...live] = await blocks(50, 500)

    await withStore(directory, { segmentBytes: 5_000 }, async store => {
      await putAll(store, [dead, ...live])
      await store.roots.compareAndSet('main', undefined, live[0].cid.bytes)

      async function * roots (): AsyncGenerator<CID> {
        for (const { cid } of live) {
          await store.put(dead.cid, dead.bytes)
          yield cid
        }
      }

      expect((await store.gc({ roots: roots(), links: () => [] })).freedBlocks).to.equal(0)
      expect(await readBlock(store, dead.cid)).to.deep.equal(dead.bytes)
    })
  })

  it('returns the blocks of getMany in the order of the CIDs', async () => {
    const directory = await directories.make()
    const put = await blocks(100, 100)

    await withStore(directory, {}, async store => {
      await putAll(store, put)

      const asked = put.toReversed()
      const pairs = await all(store.getMany(asked.map(({ cid }) => cid)))
      expect(pairs.map(({ cid }) => cid)).to.deep.equal(asked.map(({ cid }) => cid))
    })
  })

  it('removes temporary and empty segments after a crash, but no unknown file', async () => {
    const directory = await directories.make()
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'segment.tmp'), 'half')
    await withStore(directory, {}, async () => {})
    await writeFile(join(directory, 'segment-00000008.car'), '')
    await writeFile(join(directory, 'segment-00000009.car'), 'half')
    await withStore(directory, {}, async () => {})

    expect((await readdir(directory)).sort()).to.deep.equal(['index.sqlite', 'lock.sqlite', 'segment-00000001.car', 'segment-00000009.car', 'store'])
    await unlink(join(directory, 'lock.sqlite'))
    await rm(join(directory, 'index.sqlite'))
    await withStore(directory, {}, async () => {})
  })
})

async function readAll (store: PackBlockstore, put: readonly TestBlock[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await expectBlocks(store, put)
  }
}
