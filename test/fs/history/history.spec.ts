import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { createBlock, dagCborCode, decodeSnapshot, encodeSnapshot } from '../../../src/codec/index.ts'
import { dagfs, dagfs1, memoryRoots } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import { plain, read, snapshotOver, told, write } from './files.ts'
import type { Snapshot } from '../../../src/codec/index.ts'
import type { DagFs } from '../../../src/index.ts'
import '../../seed.ts'

describe('fs/history', () => {
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
  })

  async function putSnapshot (snapshot: Snapshot): Promise<CID> {
    const { cid, bytes } = await createBlock(dagCborCode, encodeSnapshot(snapshot))
    await blockstore.put(cid, bytes)

    return cid
  }

  describe('snapshot', () => {
    it('is one block with the given message, and does not change the tree', async () => {
      await write(fs, { '/a': 'x' })
      const { root } = await fs.commit()
      const taken = await fs.snapshot({ message: 'begin', time: new Date(1_500), meta: { author: 'me' }, attributes: { mode: 0o700 } })
      const [bytes] = await all(blockstore.get(taken.cid))

      expect(taken).to.deep.include({ tree: root, parents: [], generation: 0, message: 'begin', time: [1, 500_000_000], durability: 'none' })
      expect(decodeSnapshot({ cid: taken.cid, bytes })).to.deep.equal({
        tree: root, parents: [], generation: 0, message: 'begin', time: [1, 500_000_000], meta: { author: 'me' }, attributes: { mode: 0o700 }
      })
    })

    it('commits pending edits, and follows the last snapshot', async () => {
      const first = await fs.snapshot()
      await write(fs, { '/a': 'x' })
      const second = await fs.snapshot()

      expect(second).to.deep.include({ parents: [first.cid], generation: 1 })
      expect(await read(fs.at(second.cid))).to.deep.equal({ '/a': 'x' })
    })

    it('is equal for an equal tree and history', async () => {
      const [one, other] = [await fs.snapshot({ message: 'same' }), await dagfs({ blockstore }).snapshot({ message: 'same' })]

      expect(String(one.cid)).to.equal(String(other.cid))
    })

    it('refuses a number as a time: it could be seconds or milliseconds', async () => {
      for (const time of [Date.now(), '1700000000']) {
        await expect(fs.snapshot({ time: time as any })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'time' })
        await expect(fs.snapshot({ attributes: { mtime: time as any } })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'attributes.mtime' })
      }

      await expect(fs.snapshot({ time: new Date(Number.NaN) })).to.eventually.be.rejectedWith('must be a valid Date').with.include({ code: 'ERR_INVALID_ARG_TYPE' })
    })

    it('keeps the attributes of the root until others are given', async () => {
      await fs.snapshot({ attributes: { mode: 0o700, mtime: new Date(0), meta: { a: 1 } } })
      expect((await fs.snapshot()).attributes).to.deep.equal({ mode: 0o700, mtime: [0, 0], meta: { a: 1 } })
      expect((await fs.snapshot({ attributes: { mode: 0o755 } })).attributes).to.deep.equal({ mode: 0o755 })
      expect((await fs.snapshot({ attributes: {} })).attributes).to.equal(undefined)
    })

    it('records its layout if that is not dagfs-1', async () => {
      const other = dagfs({ blockstore }, { layout: { ...dagfs1, inlineBytes: 100 } })
      const { cid } = await other.snapshot()
      const [bytes] = await all(blockstore.get(cid))

      expect(decodeSnapshot({ cid, bytes }).layout).to.deep.equal({ chunkBytes: 2 ** 20, width: 1024, inlineBytes: 100 })
      await expect(fs.checkout(cid)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'layout' })
      await expect(fs.merge(cid, { base: null })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'layout' })
    })

    it('refuses invalid options, and changes nothing', async () => {
      const { cid, tree } = await fs.snapshot()

      await expect(fs.snapshot({ message: 'x'.repeat(65_537) })).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      await expect(fs.snapshot({ parents: [tree] })).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      await expect(fs.snapshot({ parents: ['x' as unknown as CID] })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'parents' })
      await expect(fs.snapshot({ attributes: { mode: 0o10000 } })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'attributes' })
      await expect(fs.snapshot({ mesage: '' } as object)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'mesage' })
      expect((await all(fs.log())).map(entry => String(entry.cid))).to.deep.equal([String(cid)])
    })
  })

  describe('at', () => {
    it('reads the tree of a snapshot, with its root attributes', async () => {
      await write(fs, { '/a': 'x' })
      const { cid, tree } = await fs.snapshot({ attributes: { mode: 0o700, mtime: [5, 6] } })
      const stats = await fs.at(cid).stat('/')

      expect(await read(fs.at(cid))).to.deep.equal({ '/a': 'x' })
      expect(stats.attributes).to.deep.equal({ mode: 0o700, mtime: [5, 6] })
      expect(stats.mode & 0o7777).to.equal(0o700)
      expect((await fs.at(tree).stat('/')).attributes).to.equal(undefined)
    })

    it('reads a tree, and its root block once', async () => {
      const store = new CountingStore()
      const { root } = await dagfs({ blockstore: store }).commit()
      store.reset()
      await all(dagfs({ blockstore: store }).at(root).ls('/'))

      expect(store.gets).to.equal(1)
    })

    it('refuses a block that is neither tree nor snapshot', async () => {
      const { cid, bytes } = await createBlock(dagCborCode, Uint8Array.of(0x80))
      await blockstore.put(cid, bytes)

      await expect(fs.at(cid).stat('/')).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
    })
  })

  describe('a view', () => {
    let first: CID
    let second: CID

    beforeEach(async () => {
      await write(fs, { '/a': 'x' })
      first = (await fs.snapshot({ message: 'first' })).cid
      await write(fs, { '/b': 'y' })
      second = (await fs.snapshot({ message: 'second', attributes: { mode: 0o700 } })).cid
      await write(fs, { '/c': 'z' })
    })

    it('of a snapshot has its history, and can be compared with others', async () => {
      const view = fs.at(first)
      expect((await all(view.log())).map(told)).to.deep.equal(['first'])
      expect((await all(view.log(second))).map(told)).to.deep.equal(['second', 'first'])
      expect((await all(fs.at(second).log(undefined, { limit: 1 }))).map(told)).to.deep.equal(['second'])
      expect(await plain(view.diff(second))).to.deep.equal(['changed /', 'removed /b'])
      expect(await plain(view.diff(first, second))).to.deep.equal(['changed /', 'added /b'])
    })

    it('of a tree has no history, and can be compared with others', async () => {
      const { root } = await fs.commit()
      expect(await all(fs.at(root).log())).to.deep.equal([])
      expect(await plain(fs.at(root).diff(first))).to.deep.equal(['added /b', 'added /c'])
    })

    it('of a name has its history, and puts nothing', async () => {
      const roots = memoryRoots()
      const writer = dagfs({ blockstore }, { name: 'main', roots })
      await writer.checkout(second)
      await writer.commit()
      const put = async (): Promise<never> => { throw new Error('nothing is to be put') }
      const view = dagfs({ blockstore: { get: cid => blockstore.get(cid), has: cid => blockstore.has(cid), put } }, { name: 'main', roots, readonly: true })

      expect((await all(view.log())).map(told)).to.deep.equal(['second', 'first'])
      expect(await plain(view.diff(first))).to.deep.equal(['changed /', 'added /b'])
    })

    it('refuses the same options as a handle', async () => {
      const view = fs.at(first)
      await expect(all(view.log(undefined, { limit: -1 }))).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
      await expect(all(view.diff(first, second, { renames: true } as object))).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
    })
  })

  describe('log', () => {
    it('is empty without a snapshot', async () => {
      expect(await all(fs.log())).to.deep.equal([])
    })

    it('returns each snapshot once, after its successors, by generation and time', async () => {
      const base = (await fs.snapshot({ message: 'base' })).cid
      const left = await snapshotOver(blockstore, base, 'left', { '/left': '' })
      const right = await snapshotOver(blockstore, await snapshotOver(blockstore, base, 'right', { '/right': '' }), 'right again', { '/right': 'x' })
      await fs.checkout(left)
      await fs.merge(right)
      await fs.snapshot({ message: 'merge' })

      const log = await all(fs.log())
      expect(log.map(({ generation }) => generation)).to.deep.equal([3, 2, 1, 1, 0])
      expect(log.map(told)).to.include.members(['left', 'right']).and.to.deep.include.members(['merge', 'right again', 'base'])
      expect((await all(fs.log(right))).map(told)).to.deep.equal(['right again', 'right', 'base'])
      expect((await all(fs.log(undefined, { limit: 2 }))).map(told)).to.deep.equal(['merge', 'right again'])
    })

    it('orders snapshots of one generation by time, those without time last', async () => {
      const { cid: base, tree } = await fs.snapshot({ message: 'base' })
      const parents = await Promise.all([[3, 0], [7, 1], [7, 0], undefined].map(async time => putSnapshot({ tree, parents: [base], generation: 1, message: String(time), ...(time === undefined ? {} : { time: [time[0], time[1]] as const }) })))
      const head = await putSnapshot({ tree, parents, generation: 2, message: 'head' })

      expect((await all(fs.log(head))).map(told)).to.deep.equal(['head', '7,1', '7,0', '3,0', 'undefined', 'base'])
    })

    it('reports where the stored history ends', async () => {
      const { cid: first } = await fs.snapshot({ message: 'first' })
      await fs.snapshot({ message: 'second' })
      await fs.snapshot({ message: 'third' })
      await blockstore.delete(first)

      expect((await all(fs.log())).map(told)).to.deep.equal(['third', 'second, shallow'])
      expect((await all(fs.log()))[1].missing.map(String)).to.deep.equal([String(first)])
    })

    it('treats no other failure as a missing parent', async () => {
      const store = new CountingStore()
      const failing = dagfs({ blockstore: store })
      const { cid: first } = await failing.snapshot()
      await failing.snapshot()
      const get = store.get.bind(store)
      store.get = async function * (cid, options) {
        if (cid.equals(first)) {
          throw new Error('the disk is gone')
        }

        yield * get(cid, options)
      }

      await expect(all(failing.log())).to.eventually.be.rejected.with.property('message', 'the disk is gone')
    })

    ;([['higher', 5], ['as high', 1]] as const).forEach(([title, generation]) => {
      it(`refuses a snapshot with a generation ${title} than its parents allow`, async () => {
        const { tree, cid } = await fs.snapshot()
        const parent = await putSnapshot({ tree, parents: [cid], generation: 1 })
        const head = await putSnapshot({ tree, parents: [parent], generation })

        await expect(all(fs.log(head))).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      })
    })

    it('holds only open branches in memory, however long the history', async () => {
      const { tree, cid } = await fs.snapshot()
      let head = cid

      for (let generation = 1; generation <= 5_000; generation++) {
        head = await putSnapshot({ tree, parents: [head], generation })
      }

      expect(await all(fs.log(head))).to.have.lengthOf(5_001)
    }).timeout(30_000)

    it('refuses a history of thousands of concurrent branches', async () => {
      const { tree } = await fs.snapshot()
      let lines = await Promise.all(Array.from({ length: 3_000 }, async (_, i) => putSnapshot({ tree, parents: [], generation: 0, message: `${i}` })))

      for (let generation = 1; lines.length > 1; generation++) {
        const above: CID[] = []

        for (let i = 0; i < lines.length; i += 16) {
          above.push(await putSnapshot({ tree, parents: lines.slice(i, i + 16), generation }))
        }

        lines = above
      }

      await expect(all(fs.log(lines[0]))).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
    }).timeout(30_000)
  })

  describe('checkout', () => {
    it('continues from a snapshot, which becomes the parent of the next', async () => {
      await write(fs, { '/a': 'x' })
      const first = await fs.snapshot()
      await write(fs, { '/a': 'y' })
      await fs.snapshot()
      await fs.checkout(first.cid)

      expect(await fs.readFile('/a', 'utf8')).to.equal('x')
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(first.cid)])
    })

    it('continues from a tree, with the last snapshot as parent', async () => {
      const first = await fs.snapshot()
      await write(fs, { '/a': 'y' })
      const second = await fs.snapshot()
      await fs.checkout(first.tree)

      expect(await read(fs)).to.deep.equal({})
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(second.cid)])
    })

    it('refuses to drop uncommitted edits without `force`', async () => {
      const { cid } = await fs.snapshot()
      await write(fs, { '/a': 'x' })

      await expect(fs.checkout(cid)).to.eventually.be.rejected.with.include({ name: 'FileSystemError', code: 'EBUSY', syscall: 'checkout' })
      expect(await read(fs)).to.deep.equal({ '/a': 'x' })
      await fs.checkout(cid, { force: true })
      expect(await read(fs)).to.deep.equal({})
    })

    it('keeps open files attached if their paths have the same content', async () => {
      await write(fs, { '/same': 'same', '/edited': 'old', '/other': 'old' })
      const first = await fs.snapshot()
      await write(fs, { '/other': 'new' })
      await fs.commit()
      const [same, edited, other] = await Promise.all(['/same', '/edited', '/other'].map(async path => fs.open(path, 'r+')))
      await edited.write('EDITED')
      await fs.commit()
      await fs.checkout(first.cid)
      await Promise.all([same.write('SAME', 0), edited.write('edited', 0), other.write('OTHER', 0)])

      expect(await read(fs)).to.deep.equal({ '/same': 'SAME', '/edited': 'old', '/other': 'old' })
      await Promise.all([same, edited, other].map(async handle => handle.close()))
    })
  })

  describe('diff', () => {
    it('compares trees and snapshots, with attributes of both sides', async () => {
      await write(fs, { '/a': 'x', '/b': 'gone', '/c/d': 'same' })
      const before = await fs.snapshot()
      const other = dagfs({ blockstore })
      await other.addAll([{ path: '/a', content: 'xy', mode: 0o600 }, { path: '/c/d', content: 'same' }, { path: '/e', content: 'new' }])
      const { root } = await other.commit()

      const changes = await all(fs.diff(before.cid, root))
      expect(changes.map(({ kind, path }) => `${kind} ${path}`)).to.deep.equal(['changed /a', 'removed /b', 'added /e'])
      expect(changes[0]).to.deep.equal({
        kind: 'changed',
        path: '/a',
        fields: ['content', 'mode'],
        before: { path: '/a', name: 'a', kind: 'file', size: 1 },
        after: { path: '/a', name: 'a', kind: 'file', size: 2, mode: 0o600 }
      })
    })

    it('compares with the current tree by default', async () => {
      const { tree } = await fs.snapshot()
      await write(fs, { '/a': 'x' })

      expect(await plain(fs.diff(tree))).to.deep.equal(['added /a'])
      await expect(fs.checkout(tree), 'it commits nothing').to.eventually.be.rejected.with.property('code', 'EBUSY')
    })

    it('detects renames if asked to', async () => {
      await write(fs, { '/dir/a': 'x', '/b': 'y' })
      const { cid } = await fs.snapshot()
      const other = dagfs({ blockstore })
      await write(other, { '/moved/a': 'x', '/c': 'y' })
      const { root } = await other.commit()

      expect(await plain(fs.diff(cid, root, { detectRenames: true }))).to.deep.equal(['renamed /c', 'renamed /moved'])
      expect((await all(fs.diff(cid, root, { detectRenames: true })))[0]).to.deep.include({ from: '/b', before: { path: '/b', name: 'b', kind: 'file', size: 1 } })
      expect(await plain(fs.diff(cid, root))).to.have.lengthOf(6)
      expect(await plain(fs.diff(cid, root, { collapse: true }))).to.deep.equal(['removed /b', 'added /c', 'removed /dir', 'added /moved'])
    })

    it('compares root attributes carried by snapshots', async () => {
      const [a, b] = [await fs.snapshot({ attributes: { mode: 0o700 } }), await fs.snapshot({ attributes: { mode: 0o755 } })]

      expect((await all(fs.diff(a.cid, b.cid)))[0]).to.deep.include({ kind: 'changed', path: '/', fields: ['mode'] })
      expect(await all(fs.diff(a.cid))).to.have.lengthOf(1)
      expect(await all(fs.diff(b.cid))).to.deep.equal([])
      expect(await all(fs.diff(b.tree))).to.deep.equal([])
    })

    it('reads at most 100 blocks for 10 changes among 100,000 files', async () => {
      const store = new CountingStore()
      const large = dagfs({ blockstore: store.inner })
      await large.addAll(Array.from({ length: 100_000 }, (_, i) => ({ path: `/many/${i}.txt`, content: `${i}` })))
      const { root: before } = await large.commit()
      await large.addAll(Array.from({ length: 10 }, (_, i) => ({ path: `/many/${i * 9_999}.txt`, content: 'changed' })))
      const { root: after } = await large.commit()

      expect(await all(dagfs({ blockstore: store }).diff(before, after))).to.have.lengthOf(10)
      expect(store.gets).to.be.at.most(100)
    }).timeout(120_000)
  })
})
