import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { dagfs, dagfs1, fixedSize, memoryRoots } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import type { DagFs, DagFsInit, RootConflictError, RootRemovedError, RootStore } from '../../../src/index.ts'
import type { AbortOptions } from '../../../src/options.ts'

const someRoot = CID.parse('bafyreighdfsb42ymnoef4uxvdxr6xga52mzafc7s67kgdpc4pg24suxwuy')

async function names (fs: DagFs): Promise<string[]> {
  return (await all(fs.ls())).map(({ name }) => name)
}

async function add (fs: DagFs, ...paths: string[]): Promise<void> {
  await fs.addAll(paths.map(path => ({ path, content: `content of ${path}`.repeat(200) })))
}

describe('a name', () => {
  let blockstore: MemoryBlockstore
  let roots: RootStore

  function open (init: DagFsInit = {}): DagFs {
    return dagfs({ blockstore }, { name: 'site', roots, ...init })
  }

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
    roots = memoryRoots()
  })

  it('begins with an empty directory', async () => {
    expect(await names(open())).to.deep.equal([])
    expect(await open().opened()).to.deep.equal({ root: undefined, snapshot: undefined, missing: [], layout: 'default' })
  })

  it('reports the origin of its layout', async () => {
    const layout = { ...dagfs1, inlineBytes: 0 }
    const fs = open({ layout })
    expect(await fs.opened()).to.have.property('layout', 'given')

    await add(fs, '/a')
    const { root } = await fs.commit()
    expect(await fs.opened()).to.have.property('layout', 'recorded')
    expect(await open().opened()).to.have.property('layout', 'recorded')
    expect(await dagfs({ blockstore }, { root }).opened()).to.have.property('layout', 'default')
    expect(await dagfs({ blockstore }, { root, layout }).opened()).to.have.property('layout', 'given')
  })

  it('records its layout for edits, unlike the CID of its tree', async () => {
    const fs = open({ layout: { ...dagfs1, inlineBytes: 0 } })
    await add(fs, '/a')
    const { root } = await fs.commit()
    const edited = await Promise.all([open(), dagfs({ blockstore }, { root })].map(async handle => {
      await handle.writeFile('/b', 'b')
      await handle.commit()

      return (await all(handle.ls())).map(({ cid }) => cid !== undefined)
    }))

    expect(edited).to.deep.equal([[true, true], [true, false]])
  })

  it('opens with the last commit', async () => {
    const fs = open()
    await add(fs, '/a')
    const { root } = await fs.commit()
    const later = open()

    expect(await names(later)).to.deep.equal(['a'])
    expect((await later.opened()).root?.equals(root)).to.equal(true)
  })

  it('is independent of other names', async () => {
    const fs = open()
    await add(fs, '/a')
    await fs.commit()

    expect(await names(open({ name: 'other' }))).to.deep.equal([])
  })

  it('is not moved by uncommitted edits', async () => {
    await add(open(), '/a')

    expect(await names(open())).to.deep.equal([])
  })

  it('moves with every commit of one handle', async () => {
    const fs = open()

    for (const path of ['/a', '/b', '/c']) {
      await add(fs, path)
      await fs.commit()
      expect(await names(open())).to.deep.equal(await names(fs))
    }
  })

  it('goes to the first of two handles, and the other gets both roots', async () => {
    const [first, second] = [open(), open()]
    await add(first, '/a')
    await add(second, '/b')
    const { root } = await first.commit()
    const error: RootConflictError = await second.commit().then(() => expect.fail('it published'), err => err)

    expect(error).to.include({ name: 'RootConflictError', code: 'ERR_ROOT_CONFLICT', root: 'site', base: undefined })
    expect(error.theirs.equals(root)).to.equal(true)
    expect(await names(dagfs({ blockstore }, { root: error.ours }))).to.deep.equal(['b'])
    expect(await names(open())).to.deep.equal(['a'])
  })

  it('reports the common base of both roots', async () => {
    const fs = open()
    await add(fs, '/a')
    const { root } = await fs.commit()
    const other = open()
    await add(other, '/b')
    await add(fs, '/c')
    await fs.commit()
    const error: RootConflictError = await other.commit().then(() => expect.fail('it published'), err => err)

    expect(error.base?.equals(root)).to.equal(true)
  })

  it('keeps the edits of the losing handle, which is refused again', async () => {
    const [first, second] = [open(), open()]
    await add(first, '/a')
    await add(second, '/b')
    await first.commit()

    for (let i = 0; i < 2; i++) {
      await expect(second.commit()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_CONFLICT')
      expect(await names(second)).to.deep.equal(['b'])
    }
  })

  it('accepts equal edits of two handles', async () => {
    const [first, second] = [open(), open()]
    await add(first, '/a')
    await add(second, '/a')
    await first.commit()
    await second.commit()
    await add(second, '/b')
    await second.commit()

    expect(await names(open())).to.deep.equal(['a', 'b'])
  })

  it('keeps the layout of its tree', async () => {
    const layout = { ...dagfs1, chunker: fixedSize(1000), inlineBytes: 10 }
    const fs = open({ layout })
    await add(fs, '/a')
    await fs.commit()
    const later = open()
    await add(later, '/b')
    const { root } = await later.commit()
    const anew = dagfs({ blockstore }, { layout })
    await add(anew, '/a', '/b')

    expect((await anew.commit()).root.equals(root)).to.equal(true)
  })

  it('refuses a layout other than that of its tree', async () => {
    const fs = open()
    await add(fs, '/a')
    await fs.commit()

    await expect(names(open({ layout: { ...dagfs1, inlineBytes: 0 } }))).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'layout' })
  })

  it('opens the previous root if the store has lost the last', async () => {
    const fs = open()
    await add(fs, '/a')
    const { root: before } = await fs.commit()
    await add(fs, '/b')
    const { root } = await fs.commit()
    await blockstore.delete(root)
    const later = open()
    const opened = await later.opened()

    expect(await names(later)).to.deep.equal(['a'])
    expect(opened.root?.equals(before)).to.equal(true)
    expect(opened.missing.map(String)).to.deep.equal([String(root)])
  })

  it('continues from the previous root, and keeps it for the next loss', async () => {
    const fs = open()
    await add(fs, '/a')
    await fs.commit()
    await add(fs, '/b')
    await blockstore.delete((await fs.commit()).root)
    const later = open()
    await add(later, '/c')
    await blockstore.delete((await later.commit()).root)

    expect(await names(open())).to.deep.equal(['a'])
  })

  it('does not open if no root of it is left', async () => {
    const fs = open()
    await add(fs, '/a')
    const { root } = await fs.commit()
    await blockstore.delete(root)

    await expect(names(open())).to.eventually.be.rejected.with.property('name', 'NotFoundError')
  })

  it('is not published with a missing block, and keeps the edits', async () => {
    const fs = open()
    await add(fs, '/a')
    const { cid } = await fs.stat('/a')
    await blockstore.delete(cid ?? someRoot)

    await expect(fs.commit()).to.eventually.be.rejected.with.include({ name: 'MissingBlockError', code: 'ERR_MISSING_BLOCK' })
    expect(await names(open())).to.deep.equal([])

    await add(fs, '/a')
    await fs.commit()
    expect(await open().readFile('/a', 'utf8')).to.include('content of /a')
  })

  it('is published if the missing block is no longer part of it', async () => {
    const fs = open()
    await add(fs, '/a')
    const { cid } = await fs.stat('/a')
    await fs.addAll([{ path: '/a', content: 'other' }])
    await blockstore.delete(cid ?? someRoot)
    await fs.commit()

    expect(await open().readFile('/a', 'utf8')).to.equal('other')
  })

  it('costs a commit in proportion to the change, not the tree', async () => {
    let asked = 0
    const counted = new MemoryBlockstore()
    counted.has = async (...args) => {
      asked++

      return blockstore.has(...args)
    }
    counted.get = (...args) => {
      asked++

      return blockstore.get(...args)
    }
    counted.put = (...args) => blockstore.put(...args)
    const fs = dagfs({ blockstore: counted }, { name: 'site', roots })
    await fs.addAll(Array.from({ length: 20_000 }, (_, i) => ({ path: `/${i % 100}/${i}`, content: `${i}` })))
    await fs.commit()
    asked = 0
    await fs.addAll([{ path: '/7/new', content: 'new' }])
    await fs.commit()

    expect(asked).to.be.at.most(8)
  })

  it('is removed by unpublish(), and then opens with an empty directory', async () => {
    const fs = open()
    await add(fs, '/a')
    await fs.commit()
    await fs.unpublish()

    expect(await all(roots.names())).to.deep.equal([])
    expect(await names(open())).to.deep.equal([])
    expect(await names(fs)).to.deep.equal(['a'])
  })

  it('is published again by the handle that removed it, without a previous root', async () => {
    const fs = open()
    await add(fs, '/a')
    const { root } = await fs.commit()
    await fs.unpublish()
    await fs.unpublish()
    await fs.commit()
    expect((await open().opened()).root?.equals(root)).to.equal(true)

    const elsewhere = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'site', roots })
    await expect(names(elsewhere)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
  })

  it('is not published again by a handle unaware of its removal', async () => {
    const fs = open()
    await add(fs, '/a')
    await fs.commit()
    await open().unpublish()
    await add(fs, '/b')

    for (let i = 0; i < 2; i++) {
      const error: RootRemovedError = await fs.commit().then(() => expect.fail('it published'), err => err)
      expect(error).to.include({ name: 'RootRemovedError', code: 'ERR_ROOT_REMOVED', root: 'site' })
      expect(await names(dagfs({ blockstore }, { root: error.ours }))).to.deep.equal(['a', 'b'])
    }

    expect(await all(roots.names())).to.deep.equal([])
    expect(await names(fs)).to.deep.equal(['a', 'b'])
  })

  it('is reported as removed by a commit without edits', async () => {
    const fs = open()
    await fs.commit()
    await open().unpublish()

    await expect(fs.commit()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_REMOVED')
    await expect(fs.snapshot()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_REMOVED')
  })

  it('is published again after a checkout by a handle aware of its removal', async () => {
    const fs = open()
    await fs.commit()
    await open().unpublish()
    await add(fs, '/b')
    const error: RootRemovedError = await fs.commit().then(() => expect.fail('it published'), err => err)
    await fs.checkout(error.ours, { force: true })
    await add(fs, '/c')
    await fs.commit()

    expect(await names(open())).to.deep.equal(['b', 'c'])
  })

  it('conflicts after a checkout if another handle published it again', async () => {
    const fs = open()
    await fs.commit()
    await open().unpublish()
    await add(fs, '/b')
    const error: RootRemovedError = await fs.commit().then(() => expect.fail('it published'), err => err)
    const other = open()
    await add(other, '/theirs')
    await other.commit()

    await expect(fs.commit()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_CONFLICT')
    await fs.checkout(error.ours, { force: true })
    await expect(fs.commit()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_CONFLICT')
    expect(await names(open())).to.deep.equal(['theirs'])
  })

  it('is not removed by a handle unaware of the latest commit', async () => {
    const [first, second] = [open(), open()]
    await second.opened()
    await add(second, '/mine')
    await add(first, '/a')
    const { root } = await first.commit()
    const error: RootConflictError = await second.unpublish().then(() => expect.fail('it removed'), err => err)

    expect(error).to.include({ code: 'ERR_ROOT_CONFLICT', root: 'site', base: undefined })
    expect(error.theirs.equals(root)).to.equal(true)
    expect(await names(dagfs({ blockstore }, { root: error.ours }))).to.deep.equal(['mine'])
    expect(await names(open())).to.deep.equal(['a'])
  })

  it('is required by unpublish()', async () => {
    await expect(dagfs({ blockstore }).unpublish()).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'name' })
  })

  it('keeps its blocks from garbage collection until it is removed', async () => {
    await (async () => {
      const fs = open()
      await add(fs, '/a')
      await fs.commit()
    })()
    const elsewhere = new MemoryBlockstore()

    // another object over the same blocks, where no handle is open
    for await (const { cid, bytes } of blockstore.getAll()) {
      for await (const piece of bytes) {
        elsewhere.put(cid, piece)
      }
    }

    const kept = await dagfs({ blockstore: elsewhere }, { roots }).gc()
    await roots.compareAndSet('site', await roots.get('site'), undefined)
    const { deleted, kept: left } = await dagfs({ blockstore: elsewhere }, { roots }).gc()

    expect([kept.deleted, kept.kept, deleted, left]).to.deep.equal([0, 2, 2, 0])
  })

  it('is refused without a root store, saying what to pass', () => {
    expect(() => dagfs({ blockstore }, { name: 'site' })).to.throw(/memoryRoots/).with.include({ code: 'ERR_INVALID_OPTION', option: 'name' })
  })

  it('is refused with a store that cannot compare and set', () => {
    const store = { get: async () => undefined, names: async function * () {} } as unknown as RootStore

    expect(() => open({ roots: store })).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'roots' })
  })

  it('is refused together with a root', () => {
    expect(() => open({ root: someRoot })).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'root' })
  })

  for (const name of ['', 'n'.repeat(129), '\u00e9'.repeat(65), 'a\ud800']) {
    it(`is refused if it is ${JSON.stringify(name).slice(0, 20)}`, () => {
      expect(() => open({ name })).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'name' })
    })
  }
})

describe('the durability of a commit', () => {
  class SyncingStore extends CountingStore {
    readonly events: string[] = []

    override async put (cid: CID, bytes: Uint8Array, options?: AbortOptions): Promise<CID> {
      this.events.push('put')

      return super.put(cid, bytes, options)
    }

    async sync (): Promise<void> {
      this.events.push('sync')
    }
  }

  function syncingRoots (events: string[]): RootStore {
    const roots = memoryRoots()

    return {
      ...roots,
      async compareAndSet (...args) {
        events.push('root')

        return roots.compareAndSet(...args)
      },
      async sync () {
        events.push('sync roots')
      }
    }
  }

  it('is none on a store that cannot sync', async () => {
    const fs = dagfs({ blockstore: new MemoryBlockstore() })

    expect((await fs.commit()).durability).to.equal('none')
  })

  it('is that of a commit on a syncing store: blocks, sync, root, sync', async () => {
    const blockstore = new SyncingStore()
    const fs = dagfs({ blockstore }, { name: 'site', roots: syncingRoots(blockstore.events) })
    await add(fs, '/a')

    expect((await fs.commit()).durability).to.equal('commit')
    expect(blockstore.events).to.deep.equal(['put', 'put', 'sync', 'root', 'sync roots'])
  })

  it('is none if requested', async () => {
    const blockstore = new SyncingStore()

    expect((await dagfs({ blockstore }, { durable: 'none' }).commit()).durability).to.equal('none')
    expect(blockstore.events).to.not.include('sync')
  })

  it('is refused if the blockstore cannot sync', () => {
    expect(() => dagfs({ blockstore: new MemoryBlockstore() }, { durable: 'commit' })).to.throw(/blockstore/).with.include({ code: 'ERR_INVALID_OPTION', option: 'durable' })
  })

  it('is refused if the root store cannot sync', () => {
    expect(() => dagfs({ blockstore: new SyncingStore() }, { durable: 'commit', name: 'site', roots: memoryRoots() })).to.throw(/store of roots/).with.property('option', 'durable')
  })

  it('is not reported if sync fails: the old root stays, and a retry succeeds', async () => {
    const blockstore = new SyncingStore()
    const roots = syncingRoots(blockstore.events)
    const fs = dagfs({ blockstore }, { name: 'site', roots })
    await add(fs, '/a')
    blockstore.sync = async () => { throw new Error('the disk is full') }
    await expect(fs.commit()).to.eventually.be.rejectedWith('the disk is full')
    expect(await roots.get('site')).to.equal(undefined)

    blockstore.sync = async () => {}
    expect((await fs.commit()).durability).to.equal('commit')
    expect(await roots.get('site')).to.not.equal(undefined)
  })
})
