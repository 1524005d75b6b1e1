import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { createBlock, dagCborCode, decodeSnapshot, encodeSnapshot } from '../../../src/codec/index.ts'
import { dagfs, dagfs1, memoryRoots } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import type { Snapshot } from '../../../src/codec/index.ts'
import type { DagFs, LoggedSnapshot, MergeConflict, MergeReport, MergeStrategy, RootConflictError, RootStore, TreeDifference } from '../../../src/index.ts'
import '../../seed.ts'

type Files = Record<string, string>

async function write (fs: DagFs, files: Files): Promise<void> {
  await fs.addAll(Object.entries(files).map(([path, content]) => ({ path, content })))
}

async function read (fs: Pick<DagFs, 'walk' | 'readFile'>): Promise<Files> {
  const files: Files = {}

  for await (const { kind, path } of fs.walk()) {
    if (kind === 'file') {
      files[path] = await fs.readFile(path, 'utf8')
    }
  }

  return files
}

const told = ({ message, missing }: LoggedSnapshot): string => `${message ?? ''}${missing.length > 0 ? ', shallow' : ''}`

const plain = async (changes: AsyncIterable<TreeDifference>): Promise<string[]> => (await all(changes)).map(({ kind, path }) => `${kind} ${path}`)

describe('fs/history', () => {
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
  })

  /** A snapshot of some files over another one, made by another handle. */
  async function snapshotOver (cid: CID, message: string, files: Files): Promise<CID> {
    const other = dagfs({ blockstore })
    await other.checkout(cid)
    await write(other, files)

    return (await other.snapshot({ message })).cid
  }

  async function putSnapshot (snapshot: Snapshot): Promise<CID> {
    const { cid, bytes } = await createBlock(dagCborCode, encodeSnapshot(snapshot))
    await blockstore.put(cid, bytes)

    return cid
  }

  describe('snapshot', () => {
    it('is one block, which says what it was given, and does not change the tree', async () => {
      await write(fs, { '/a': 'x' })
      const { root } = await fs.commit()
      const taken = await fs.snapshot({ message: 'begin', time: new Date(1_500), meta: { author: 'me' }, attributes: { mode: 0o700 } })
      const [bytes] = await all(blockstore.get(taken.cid))

      expect(taken).to.deep.include({ tree: root, parents: [], generation: 0, message: 'begin', time: [1, 500_000_000], durability: 'none' })
      expect(decodeSnapshot({ cid: taken.cid, bytes })).to.deep.equal({
        tree: root, parents: [], generation: 0, message: 'begin', time: [1, 500_000_000], meta: { author: 'me' }, attributes: { mode: 0o700 }
      })
    })

    it('commits what is not committed, and follows the last one', async () => {
      const first = await fs.snapshot()
      await write(fs, { '/a': 'x' })
      const second = await fs.snapshot()

      expect(second).to.deep.include({ parents: [first.cid], generation: 1 })
      expect(await read(fs.at(second.cid))).to.deep.equal({ '/a': 'x' })
    })

    it('is the same of the same tree and history', async () => {
      const [one, other] = [await fs.snapshot({ message: 'same' }), await dagfs({ blockstore }).snapshot({ message: 'same' })]

      expect(String(one.cid)).to.equal(String(other.cid))
    })

    it('refuses a number as a time, which could be seconds or milliseconds', async () => {
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

    it('says which layout its tree has where that is not dagfs-1', async () => {
      const other = dagfs({ blockstore }, { layout: { ...dagfs1, inlineBytes: 100 } })
      const { cid } = await other.snapshot()
      const [bytes] = await all(blockstore.get(cid))

      expect(decodeSnapshot({ cid, bytes }).layout).to.deep.equal({ chunkBytes: 2 ** 20, width: 1024, inlineBytes: 100 })
      await expect(fs.checkout(cid)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'layout' })
      await expect(fs.merge(cid, { base: null })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'layout' })
    })

    it('refuses what it cannot hold, and changes nothing', async () => {
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
    it('reads the tree of a snapshot, whose root has the attributes that it carries', async () => {
      await write(fs, { '/a': 'x' })
      const { cid, tree } = await fs.snapshot({ attributes: { mode: 0o700, mtime: [5, 6] } })
      const stats = await fs.at(cid).stat('/')

      expect(await read(fs.at(cid))).to.deep.equal({ '/a': 'x' })
      expect(stats.attributes).to.deep.equal({ mode: 0o700, mtime: [5, 6] })
      expect(stats.mode & 0o7777).to.equal(0o700)
      expect((await fs.at(tree).stat('/')).attributes).to.equal(undefined)
    })

    it('reads a tree with one look at its root', async () => {
      const store = new CountingStore()
      const { root } = await dagfs({ blockstore: store }).commit()
      store.reset()
      await all(dagfs({ blockstore: store }).at(root).ls('/'))

      expect(store.gets).to.equal(1)
    })

    it('refuses what is neither tree nor snapshot', async () => {
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

    it('of a snapshot has the history behind it, and is compared with others', async () => {
      const view = fs.at(first)
      expect((await all(view.log())).map(told)).to.deep.equal(['first'])
      expect((await all(view.log(second))).map(told)).to.deep.equal(['second', 'first'])
      expect((await all(fs.at(second).log(undefined, { limit: 1 }))).map(told)).to.deep.equal(['second'])
      expect(await plain(view.diff(second))).to.deep.equal(['changed /', 'removed /b'])
      expect(await plain(view.diff(first, second))).to.deep.equal(['changed /', 'added /b'])
    })

    it('of a tree has none, and is compared with others', async () => {
      const { root } = await fs.commit()
      expect(await all(fs.at(root).log())).to.deep.equal([])
      expect(await plain(fs.at(root).diff(first))).to.deep.equal(['added /b', 'added /c'])
    })

    it('of a name has the history of the name, and puts nothing', async () => {
      const roots = memoryRoots()
      const writer = dagfs({ blockstore }, { name: 'main', roots })
      await writer.checkout(second)
      await writer.commit()
      const put = async (): Promise<never> => { throw new Error('nothing is to be put') }
      const view = dagfs({ blockstore: { get: cid => blockstore.get(cid), has: cid => blockstore.has(cid), put } }, { name: 'main', roots, readonly: true })

      expect((await all(view.log())).map(told)).to.deep.equal(['second', 'first'])
      expect(await plain(view.diff(first))).to.deep.equal(['changed /', 'added /b'])
    })

    it('refuses what a handle refuses', async () => {
      const view = fs.at(first)
      await expect(all(view.log(undefined, { limit: -1 }))).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
      await expect(all(view.diff(first, second, { renames: true } as object))).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
    })
  })

  describe('log', () => {
    it('gives nothing where no snapshot was taken', async () => {
      expect(await all(fs.log())).to.deep.equal([])
    })

    it('gives each snapshot once, after all that follow it: by generation, then by time', async () => {
      const base = (await fs.snapshot({ message: 'base' })).cid
      const left = await snapshotOver(base, 'left', { '/left': '' })
      const right = await snapshotOver(await snapshotOver(base, 'right', { '/right': '' }), 'right again', { '/right': 'x' })
      await fs.checkout(left)
      await fs.merge(right)
      await fs.snapshot({ message: 'merge' })

      const log = await all(fs.log())
      expect(log.map(({ generation }) => generation)).to.deep.equal([3, 2, 1, 1, 0])
      expect(log.map(told)).to.include.members(['left', 'right']).and.to.deep.include.members(['merge', 'right again', 'base'])
      expect((await all(fs.log(right))).map(told)).to.deep.equal(['right again', 'right', 'base'])
      expect((await all(fs.log(undefined, { limit: 2 }))).map(told)).to.deep.equal(['merge', 'right again'])
    })

    it('orders snapshots of one generation by time, those without a time last', async () => {
      const { cid: base, tree } = await fs.snapshot({ message: 'base' })
      const parents = await Promise.all([[3, 0], [7, 1], [7, 0], undefined].map(async time => putSnapshot({ tree, parents: [base], generation: 1, message: String(time), ...(time === undefined ? {} : { time: [time[0], time[1]] as const }) })))
      const head = await putSnapshot({ tree, parents, generation: 2, message: 'head' })

      expect((await all(fs.log(head))).map(told)).to.deep.equal(['head', '7,1', '7,0', '3,0', 'undefined', 'base'])
    })

    it('says where the store knows no more', async () => {
      const { cid: first } = await fs.snapshot({ message: 'first' })
      await fs.snapshot({ message: 'second' })
      await fs.snapshot({ message: 'third' })
      await blockstore.delete(first)

      expect((await all(fs.log())).map(told)).to.deep.equal(['third', 'second, shallow'])
      expect((await all(fs.log()))[1].missing.map(String)).to.deep.equal([String(first)])
    })

    it('takes no other failure for a missing parent', async () => {
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

    it('holds no more of a history than its open lines, however long it is', async () => {
      const { tree, cid } = await fs.snapshot()
      let head = cid

      for (let generation = 1; generation <= 5_000; generation++) {
        head = await putSnapshot({ tree, parents: [head], generation })
      }

      expect(await all(fs.log(head))).to.have.lengthOf(5_001)
    }).timeout(30_000)

    it('refuses a history of thousands of lines', async () => {
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
    it('goes on from a snapshot, which the next one follows', async () => {
      await write(fs, { '/a': 'x' })
      const first = await fs.snapshot()
      await write(fs, { '/a': 'y' })
      await fs.snapshot()
      await fs.checkout(first.cid)

      expect(await fs.readFile('/a', 'utf8')).to.equal('x')
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(first.cid)])
    })

    it('goes on from a tree, and follows the last snapshot still', async () => {
      const first = await fs.snapshot()
      await write(fs, { '/a': 'y' })
      const second = await fs.snapshot()
      await fs.checkout(first.tree)

      expect(await read(fs)).to.deep.equal({})
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(second.cid)])
    })

    it('refuses to drop edits that are not committed, unless it is told to', async () => {
      const { cid } = await fs.snapshot()
      await write(fs, { '/a': 'x' })

      await expect(fs.checkout(cid)).to.eventually.be.rejected.with.include({ name: 'FileSystemError', code: 'EBUSY', syscall: 'checkout' })
      expect(await read(fs)).to.deep.equal({ '/a': 'x' })
      await fs.checkout(cid, { force: true })
      expect(await read(fs)).to.deep.equal({})
    })

    it('lets open files go on where their paths lead to the same, and else on their own', async () => {
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
    it('compares trees and snapshots, with what is known of both sides', async () => {
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

    it('compares with the tree as it is now where one is given', async () => {
      const { tree } = await fs.snapshot()
      await write(fs, { '/a': 'x' })

      expect(await plain(fs.diff(tree))).to.deep.equal(['added /a'])
      await expect(fs.checkout(tree), 'it commits nothing').to.eventually.be.rejected.with.property('code', 'EBUSY')
    })

    it('tells renames where it is asked to', async () => {
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

    it('compares the attributes that snapshots carry for their roots', async () => {
      const [a, b] = [await fs.snapshot({ attributes: { mode: 0o700 } }), await fs.snapshot({ attributes: { mode: 0o755 } })]

      expect((await all(fs.diff(a.cid, b.cid)))[0]).to.deep.include({ kind: 'changed', path: '/', fields: ['mode'] })
      expect(await all(fs.diff(a.cid))).to.have.lengthOf(1)
      expect(await all(fs.diff(b.cid))).to.deep.equal([])
      expect(await all(fs.diff(b.tree))).to.deep.equal([])
    })

    it('reads at most 100 blocks where 10 of 100,000 files of one directory differ', async () => {
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

  describe('merge', () => {
    /** Two snapshots that follow one. */
    async function fork (base: Files, ours: Files, theirs: Files): Promise<{ base: CID, ours: CID, theirs: CID }> {
      await write(fs, base)
      const begin = (await fs.snapshot({ message: 'base' })).cid
      const other = await snapshotOver(begin, 'theirs', theirs)
      await write(fs, ours)
      const own = (await fs.snapshot({ message: 'ours' })).cid

      return { base: begin, ours: own, theirs: other }
    }

    it('takes what both sides changed since their common snapshot, and the next snapshot follows both', async () => {
      const { base, ours, theirs } = await fork({ '/a': 'x', '/b': 'x' }, { '/a': 'ours' }, { '/b': 'theirs', '/c': 'new' })
      const report = await fs.merge(theirs)

      expect(await read(fs)).to.deep.equal({ '/a': 'ours', '/b': 'theirs', '/c': 'new' })
      expect(report).to.deep.include({ conflicts: [], conflictCount: 0 })
      expect(String(report.base)).to.equal(String(base))
      const snapshot = await fs.snapshot()
      expect(snapshot.parents.map(String)).to.deep.equal([ours, theirs].map(String))
      expect(String(snapshot.tree)).to.equal(String(report.tree))
      expect((await fs.snapshot()).parents, 'once').to.have.lengthOf(1)
    })

    it('gives the tree of a fresh import of the merged content, whichever side merges', async () => {
      const { ours, theirs } = await fork({ '/a': 'x', '/d/b': 'x' }, { '/a': 'ours' }, { '/d/b': 'theirs' })
      const { tree } = await fs.merge(theirs)
      const other = dagfs({ blockstore })
      await other.checkout(theirs)
      const fresh = dagfs({ blockstore })
      await write(fresh, { '/a': 'ours', '/d/b': 'theirs' })

      expect(String((await other.merge(ours)).tree)).to.equal(String(tree))
      expect(String((await fresh.commit()).root)).to.equal(String(tree))
    })

    it('goes forward to what is ahead, and changes nothing for what is behind', async () => {
      await write(fs, { '/a': 'x' })
      const begin = await fs.snapshot()
      const ahead = await snapshotOver(begin.cid, 'ahead', { '/a': 'y' })
      await fs.merge(ahead)

      expect(await read(fs)).to.deep.equal({ '/a': 'y' })
      expect((await all(fs.log())).map(told)).to.deep.equal(['ahead', ''])
      await fs.merge(begin.cid)
      expect(await read(fs)).to.deep.equal({ '/a': 'y' })
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(ahead)])
    })

    it('merges into edits that are not committed', async () => {
      const { theirs } = await fork({ '/a': 'x' }, {}, { '/b': 'theirs' })
      await write(fs, { '/c': 'mine' })
      await fs.merge(theirs)

      expect(await read(fs)).to.deep.equal({ '/a': 'x', '/b': 'theirs', '/c': 'mine' })
    })

    it('fails with all conflicts and changes nothing where there is no strategy', async () => {
      const { theirs } = await fork({ '/a': 'x', '/b': 'x', '/c': 'x' }, { '/a': 'ours', '/b': 'ours' }, { '/a': 'theirs', '/b': 'theirs', '/c': 'theirs' })
      const error = await fs.merge(theirs).then(() => undefined, (err: unknown) => err)

      expect(error).to.include({ name: 'MergeConflictError', code: 'ERR_MERGE_CONFLICT' })
      expect(error).to.have.property('conflicts').that.is.an('array').with.lengthOf(2)
      expect((error as { conflicts: MergeConflict[] }).conflicts[0]).to.deep.include({
        path: '/a',
        kind: 'both-changed',
        fields: ['content'],
        base: { path: '/a', name: 'a', kind: 'file', size: 1 },
        ours: { path: '/a', name: 'a', kind: 'file', size: 4 },
        theirs: { path: '/a', name: 'a', kind: 'file', size: 6 }
      })
      expect(await read(fs)).to.deep.equal({ '/a': 'ours', '/b': 'ours', '/c': 'x' })
      expect((await fs.snapshot()).parents).to.have.lengthOf(1)
    })

    it('lists at most 1,000 conflicts', async () => {
      const files = (content: string): Files => Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`/${i}`, content]))
      const { theirs } = await fork(files('x'), files('ours'), files('theirs'))

      await expect(fs.merge(theirs)).to.eventually.be.rejected.with.property('conflicts').with.lengthOf(1_000)
      const report = await fs.merge(theirs, { strategy: 'theirs' })
      expect(report.conflicts).to.have.lengthOf(1_000)
      expect(report.conflictCount).to.equal(1_200)
    })

    const strategies: Array<[title: string, strategy: MergeStrategy, expected: Files]> = [
      ['ours', 'ours', { '/a': 'ours', '/b': 'theirs' }],
      ['theirs', 'theirs', { '/a': 'theirs', '/b': 'theirs' }],
      ['a side that a function says', ({ path }) => path === '/a' ? 'theirs' : 'ours', { '/a': 'theirs', '/b': 'theirs' }],
      ['content that a function gives', async () => ({ content: 'given' }), { '/a': 'given', '/b': 'theirs' }],
      ['nothing where a function says so', () => null, { '/b': 'theirs' }]
    ]

    strategies.forEach(([title, strategy, expected]) => {
      it(`takes ${title}`, async () => {
        const { theirs } = await fork({ '/a': 'x', '/b': 'x' }, { '/a': 'ours' }, { '/a': 'theirs', '/b': 'theirs' })
        const { conflicts } = await fs.merge(theirs, { strategy })

        expect(await read(fs)).to.deep.equal(expected)
        expect(conflicts.map(({ path }) => path)).to.deep.equal(['/a'])
      })
    })

    it('keeps both under names that do not depend on who merges', async () => {
      const { ours, theirs } = await fork({ '/a.txt': 'x' }, { '/a.txt': 'ours' }, { '/a.txt': 'theirs' })
      const { tree } = await fs.merge(theirs, { strategy: 'both' })
      const other = dagfs({ blockstore })
      await other.checkout(theirs)

      expect(Object.values(await read(fs)).sort()).to.deep.equal(['ours', 'theirs'])
      expect(Object.keys(await read(fs))).to.satisfy((paths: string[]) => paths.every(path => /^\/a~[a-z2-7]{8}\.txt$/.test(path)))
      expect(String((await other.merge(ours, { strategy: 'both' })).tree)).to.equal(String(tree))
    })

    it('lets a function read from both sides, leave a conflict, and give content with attributes', async () => {
      const { ours, theirs } = await fork({ '/a': 'x' }, { '/a': 'ours' }, { '/a': 'theirs' })

      await expect(fs.merge(theirs, { strategy: () => undefined })).to.eventually.be.rejected.with.property('name', 'MergeConflictError')
      await fs.merge(theirs, {
        strategy: async ({ path }) => ({ content: await fs.at(ours).readFile(path, 'utf8') + await fs.at(theirs).readFile(path, 'utf8'), mode: 0o600 })
      })
      expect(await fs.readFile('/a', 'utf8')).to.equal('ourstheirs')
      expect((await fs.stat('/a')).attributes).to.deep.equal({ mode: 0o600 })
    })

    it('refuses strategies and answers that are none', async () => {
      const { theirs } = await fork({ '/a': 'x' }, { '/a': 'ours' }, { '/a': 'theirs' })

      await expect(fs.merge(theirs, { strategy: 'mine' as 'ours' })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'strategy' })
      await expect(fs.merge(theirs, { strategy: () => ({}) as never })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'strategy' })
      await expect(fs.merge(theirs, { strategy: () => { throw new Error('no idea') } })).to.eventually.be.rejected.with.property('message', 'no idea')
      expect(await read(fs)).to.deep.equal({ '/a': 'ours' })
    })

    it('needs a base for a tree, which does not say what it began with', async () => {
      await write(fs, { '/a': 'x' })
      const { root: base } = await fs.commit()
      const other = dagfs({ blockstore }, { root: base })
      await write(other, { '/b': 'theirs' })
      const { root } = await other.commit()

      await expect(fs.merge(root)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'base' })
      await fs.merge(root, { base })
      expect(await read(fs)).to.deep.equal({ '/a': 'x', '/b': 'theirs' })
    })

    it('merges what has nothing in common over an empty directory, where it is told to', async () => {
      await write(fs, { '/a': 'x' })
      await fs.snapshot()
      const other = dagfs({ blockstore })
      await write(other, { '/b': 'y' })
      const { cid } = await other.snapshot()

      await expect(fs.merge(cid)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'base' })
      expect((await fs.merge(cid, { base: null })).base).to.equal(undefined)
      expect(await read(fs)).to.deep.equal({ '/a': 'x', '/b': 'y' })
      expect((await fs.snapshot()).parents).to.have.lengthOf(2)
    })

    it('takes one of two best common ancestors after a criss-cross, the same for both sides', async () => {
      const { ours, theirs } = await fork({ '/a': 'x', '/b': 'x' }, { '/a': 'ours' }, { '/b': 'theirs' })
      const cross = async (into: CID, from: CID, files: Files): Promise<DagFs> => {
        const handle = dagfs({ blockstore })
        await handle.checkout(into)
        await handle.merge(from)
        await write(handle, files)

        return handle
      }
      const [left, right] = [await cross(ours, theirs, { '/l': 'l' }), await cross(theirs, ours, { '/r': 'r' })]
      const [l, r] = [await left.snapshot(), await right.snapshot()]
      const reports: MergeReport[] = [await left.merge(r.cid), await right.merge(l.cid)]

      expect(String(reports[0].base)).to.equal(String(reports[1].base)).and.to.be.oneOf([ours, theirs].map(String))
      expect(String(reports[0].tree)).to.equal(String(reports[1].tree))
      expect(await read(left)).to.deep.equal({ '/a': 'ours', '/b': 'theirs', '/l': 'l', '/r': 'r' })
    })

    it('merges the attributes that snapshots carry for their roots', async () => {
      const base = await fs.snapshot({ attributes: { mode: 0o700, mtime: [1, 0] } })
      const other = dagfs({ blockstore })
      await other.checkout(base.cid)
      const theirs = await other.snapshot({ attributes: { mode: 0o755, mtime: [2, 0] } })
      await fs.snapshot({ attributes: { mode: 0o700, mtime: [3, 0] } })
      await fs.merge(theirs.cid)
      expect((await fs.snapshot()).attributes).to.deep.equal({ mode: 0o755, mtime: [3, 0] })

      await other.snapshot({ attributes: { mode: 0o711 } })
      const [last] = await all(other.log())
      await fs.snapshot({ attributes: { mode: 0o777 } })
      await expect(fs.merge(last.cid)).to.eventually.be.rejected.with.nested.property('conflicts[0].path', '/')
      await expect(fs.merge(last.cid, { strategy: 'both' })).to.eventually.be.rejected.with.property('name', 'MergeConflictError')
      await fs.merge(last.cid, { strategy: 'theirs' })
      expect((await fs.snapshot()).attributes).to.deep.include({ mode: 0o711 })
    })

    it('leaves everything as it was where the store fails', async () => {
      const store = new CountingStore()
      const own = dagfs({ blockstore: store })
      await write(own, { '/a': 'x' })
      const base = await own.snapshot()
      const other = dagfs({ blockstore: store })
      await other.checkout(base.cid)
      await write(other, { '/b': 'theirs' })
      const theirs = await other.snapshot()
      await write(own, { '/c': 'ours' })
      await own.commit()
      store.failPutAt = store.puts + 1

      await expect(own.merge(theirs.cid)).to.eventually.be.rejected.with.property('message', 'the store is full')
      expect(await read(own)).to.deep.equal({ '/a': 'x', '/c': 'ours' })
      store.failPutAt = Number.POSITIVE_INFINITY
      await own.merge(theirs.cid)
      expect(await read(own)).to.deep.equal({ '/a': 'x', '/b': 'theirs', '/c': 'ours' })
    })

    it('stops with the reason of its signal', async () => {
      const { theirs } = await fork({ '/a': 'x' }, { '/a': 'ours' }, { '/a': 'theirs' })
      const controller = new AbortController()

      await expect(fs.merge(theirs, {
        signal: controller.signal,
        strategy: () => {
          controller.abort(new Error('enough'))
          return 'ours'
        }
      })).to.eventually.be.rejected.with.property('message', 'enough')
      expect(await read(fs)).to.deep.equal({ '/a': 'ours' })
    })
  })

  describe('a named root', () => {
    let roots: RootStore

    beforeEach(() => {
      roots = memoryRoots()
    })

    const open = (): DagFs => dagfs({ blockstore }, { name: 'main', roots })

    it('is published with its snapshot, and opened with its history', async () => {
      const { cid } = await open().snapshot({ message: 'first' })
      const other = open()

      expect((await all(other.log())).map(told)).to.deep.equal(['first'])
      expect((await other.snapshot()).parents.map(String)).to.deep.equal([String(cid)])
    })

    it('takes in what was published meanwhile, over what both began with, and is published then', async () => {
      const one = open()
      await write(one, { '/a': 'x', '/b': 'x' })
      await one.commit()
      const two = open()
      await write(two, { '/a': 'theirs' })
      await two.snapshot({ message: 'theirs' })
      await write(one, { '/b': 'ours' })
      const error = await one.commit().then(() => undefined, (err: unknown) => err)
      expect(error).to.have.property('name', 'RootConflictError')
      await one.merge((error as RootConflictError).theirs)
      await one.commit()

      expect(await read(open())).to.deep.equal({ '/a': 'theirs', '/b': 'ours' })
      expect((await all(open().log())).map(told), 'their history is kept').to.deep.equal(['theirs'])
    })

    it('keeps the edits where a snapshot meets another one, which the next one follows', async () => {
      const one = open()
      const base = await one.snapshot({ message: 'base' })
      const two = open()
      await write(two, { '/two': '' })
      const theirs = await two.snapshot({ message: 'two' })
      await write(one, { '/one': '' })
      await expect(one.snapshot({ message: 'one' })).to.eventually.be.rejected.with.property('name', 'RootConflictError')
      await one.merge(theirs.cid)
      const merged = await one.snapshot({ message: 'one' })

      expect(merged.parents.map(String)).to.deep.equal([String(theirs.cid)])
      expect((await all(open().log())).map(told)).to.deep.equal(['one', 'two', 'base'])
      expect(base.generation).to.equal(0)
      expect(await read(open())).to.deep.equal({ '/one': '', '/two': '' })
    })

    it('loses nothing that was published after the snapshot that is merged', async () => {
      const one = open()
      await one.snapshot()
      const two = open()
      await write(two, { '/two': '' })
      const theirs = await two.snapshot()
      await write(two, { '/later': '' })
      await two.commit()
      await write(one, { '/one': '' })
      await expect(one.commit()).to.eventually.be.rejected.with.property('name', 'RootConflictError')
      await one.merge(theirs.cid)
      await expect(one.commit()).to.eventually.be.rejected.with.property('name', 'RootConflictError')
      await one.merge((await open().opened()).root as CID)
      await one.commit()

      expect(await read(open())).to.deep.equal({ '/one': '', '/two': '', '/later': '' })
    })

    it('gives its edits up for what was published', async () => {
      const one = open()
      await one.snapshot()
      const two = open()
      await write(two, { '/two': '' })
      const { root } = await two.commit()
      await write(one, { '/one': '' })
      await expect(one.commit()).to.eventually.be.rejected.with.property('name', 'RootConflictError')
      await one.checkout(root, { force: true })
      await write(one, { '/more': '' })
      await one.commit()

      expect(await read(open())).to.deep.equal({ '/two': '', '/more': '' })
    })

    it('keeps a merged snapshot from garbage collection until the next one links to it', async () => {
      const one = open()
      const base = await one.snapshot()
      const theirs = await snapshotOver(base.cid, 'theirs', { '/two': '' })
      await write(one, { '/one': '' })
      await one.snapshot()
      await one.merge(theirs)
      await one.gc()

      expect((await one.snapshot()).parents.map(String)).to.include(String(theirs))
      expect(await all(one.log())).to.have.lengthOf(4)
    })
  })
})
