import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxChanges } from '../../src/pack/block-index/index-overlay.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { mountDisk } from '../mount-disk.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, numberedBlock, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

describe('a pack store on a full disk', function () {
  this.timeout(60_000)
  const directories = new Directories()
  const mounted: Array<() => void> = []

  afterEach(async () => {
    mounted.splice(0).forEach(unmount => { unmount() })
    await directories.removeAll()
  })

  /** A directory on a disk of its own; undefined where this user may not have one */
  async function disk (size: string): Promise<string | undefined> {
    const directory = await directories.make()
    const unmount = mountDisk(directory, size)

    if (unmount === undefined) {
      return
    }

    mounted.push(unmount)

    return directory
  }

  it('reports it, and keeps the last acknowledged root for writers and readers', async function () {
    const directory = await disk('1m')

    if (directory === undefined) {
      this.skip()
      return
    }

    const put = await blocks(40, 100_000)
    let acknowledged = 0
    let failure: unknown
    const store = new PackBlockstore(directory)
    await store.open()

    try {
      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        await store.roots.compareAndSet('main', acknowledged === 0 ? undefined : Uint8Array.of(acknowledged), Uint8Array.of(acknowledged + 1))
        acknowledged++
      }
    } catch (err) {
      failure = err
    }

    expect(failure).to.have.property('code', 'ENOSPC')
    expect(acknowledged).to.be.within(4, 10)
    await expect(store.close()).to.eventually.be.rejected.with.property('code', 'ENOSPC')

    for (const readonly of [true, false]) {
      await withStore(directory, { readonly }, async opened => {
        expect(await opened.roots.get('main')).to.deep.equal(Uint8Array.of(acknowledged))

        await expectBlocks(opened, put.slice(0, acknowledged))

        expect((await opened.verify()).problems).to.deep.equal([])
      })
    }
  })

  /** Fills a disk with blocks of which every tenth is garbage, and commits more of them until there is no room; answers which stay. */
  async function fill (store: PackBlockstore): Promise<TestBlock[]> {
    const put = await blocks(70, 100_000)
    await all(store.putMany(put))
    await store.roots.compareAndSet('main', undefined, Uint8Array.of(0))

    for (const [i, { cid, bytes }] of (await blocks(40, 100_000, 1_000)).entries()) {
      try {
        await store.put(cid, bytes)
        await store.roots.compareAndSet('main', Uint8Array.of(i), Uint8Array.of(i + 1))
      } catch (err) {
        expect(err).to.have.property('code', 'ENOSPC')

        return put.filter((_, number) => number % 10 !== 0)
      }
    }

    return expect.fail('the disk has room for all')
  }

  it('gains space by a collection after it is reopened', async function () {
    const directory = await disk('8m')

    if (directory === undefined) {
      this.skip()
      return
    }

    const options = { segmentBytes: 1_000_000 }
    const store = new PackBlockstore(directory, options)
    await store.open()
    const live = await fill(store)
    const roots = live.map(({ cid }) => cid)
    await expect(store.gc({ roots, links: () => [] })).to.eventually.be.rejected.with.property('code', 'ENOSPC')
    await expect(store.close()).to.eventually.be.rejected.with.property('code', 'ENOSPC')

    await withStore(directory, options, async opened => {
      expect(await opened.gc({ roots, links: () => [] })).to.include({ reached: live.length }).and.property('freedBlocks').that.is.above(7)

      for (const { cid, bytes } of [...live, ...await blocks(10, 100_000, 2_000)]) {
        await opened.put(cid, bytes)
        expect(await readBlock(opened, cid)).to.deep.equal(bytes)
      }

      await opened.sync()
      expect((await opened.verify()).problems).to.deep.equal([])
    })
  })

  it('can be verified, except for what it has no space for', async function () {
    const directory = await disk('8m')

    if (directory === undefined) {
      this.skip()
      return
    }

    const store = new PackBlockstore(directory, { segmentBytes: 1_000_000 })
    await store.open()

    try {
      const live = await fill(store)
      const { blocks: count, problems } = await store.verify()
      expect(problems).to.deep.equal([])
      expect(count).to.be.above(live.length)
    } finally {
      await expect(store.close()).to.eventually.be.rejected.with.property('code', 'ENOSPC')
    }
  })

  it('works without its index if there is space only for the log', async function () {
    // 4 MB of the log, and more of an index
    const count = 2 * maxChanges
    const directory = await disk('5m')

    if (directory === undefined) {
      this.skip()
      return
    }

    await withStore(directory, {}, async store => {
      for (let number = 0; number < count; number++) {
        const { cid, bytes } = numberedBlock(number)
        await store.put(cid, bytes)
      }

      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })

    for (const readonly of [true, false]) {
      await withStore(directory, { readonly }, async opened => {
        expect(await opened.roots.get('main')).to.deep.equal(Uint8Array.of(1))
        expect(await all(opened.getAll())).to.have.lengthOf(count)

        for (let number = 0; number < count; number += 997) {
          const { cid, bytes } = numberedBlock(number)
          expect(await readBlock(opened, cid)).to.deep.equal(bytes)
        }
      })
    }
  })
})
