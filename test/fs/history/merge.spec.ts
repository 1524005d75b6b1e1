import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { dagfs } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import { read, snapshotOver, told, write } from './files.ts'
import type { Files } from './files.ts'
import type { DagFs, MergeConflict, MergeReport, MergeStrategy } from '../../../src/index.ts'
import '../../seed.ts'

describe('fs/history', () => {
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
  })

  describe('merge', () => {
    /** Two snapshots that follow one. */
    async function fork (base: Files, ours: Files, theirs: Files): Promise<{ base: CID, ours: CID, theirs: CID }> {
      await write(fs, base)
      const begin = (await fs.snapshot({ message: 'base' })).cid
      const other = await snapshotOver(blockstore, begin, 'theirs', theirs)
      await write(fs, ours)
      const own = (await fs.snapshot({ message: 'ours' })).cid

      return { base: begin, ours: own, theirs: other }
    }

    it('combines changes since the common snapshot, and has two parents', async () => {
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

    it('gives the tree of a fresh import of the merged content, in either direction', async () => {
      const { ours, theirs } = await fork({ '/a': 'x', '/d/b': 'x' }, { '/a': 'ours' }, { '/d/b': 'theirs' })
      const { tree } = await fs.merge(theirs)
      const other = dagfs({ blockstore })
      await other.checkout(theirs)
      const fresh = dagfs({ blockstore })
      await write(fresh, { '/a': 'ours', '/d/b': 'theirs' })

      expect(String((await other.merge(ours)).tree)).to.equal(String(tree))
      expect(String((await fresh.commit()).root)).to.equal(String(tree))
    })

    it('fast-forwards to a newer snapshot, and ignores an older one', async () => {
      await write(fs, { '/a': 'x' })
      const begin = await fs.snapshot()
      const ahead = await snapshotOver(blockstore, begin.cid, 'ahead', { '/a': 'y' })
      await fs.merge(ahead)

      expect(await read(fs)).to.deep.equal({ '/a': 'y' })
      expect((await all(fs.log())).map(told)).to.deep.equal(['ahead', ''])
      await fs.merge(begin.cid)
      expect(await read(fs)).to.deep.equal({ '/a': 'y' })
      expect((await fs.snapshot()).parents.map(String)).to.deep.equal([String(ahead)])
    })

    it('merges into uncommitted edits', async () => {
      const { theirs } = await fork({ '/a': 'x' }, {}, { '/b': 'theirs' })
      await write(fs, { '/c': 'mine' })
      await fs.merge(theirs)

      expect(await read(fs)).to.deep.equal({ '/a': 'x', '/b': 'theirs', '/c': 'mine' })
    })

    it('fails with all conflicts and no change without a strategy', async () => {
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
      ['the side that a function returns', ({ path }) => path === '/a' ? 'theirs' : 'ours', { '/a': 'theirs', '/b': 'theirs' }],
      ['content that a function returns', async () => ({ content: 'given' }), { '/a': 'given', '/b': 'theirs' }],
      ['nothing if a function returns null', () => null, { '/b': 'theirs' }]
    ]

    strategies.forEach(([title, strategy, expected]) => {
      it(`resolves to ${title}`, async () => {
        const { theirs } = await fork({ '/a': 'x', '/b': 'x' }, { '/a': 'ours' }, { '/a': 'theirs', '/b': 'theirs' })
        const { conflicts } = await fs.merge(theirs, { strategy })

        expect(await read(fs)).to.deep.equal(expected)
        expect(conflicts.map(({ path }) => path)).to.deep.equal(['/a'])
      })
    })

    it('keeps both under names independent of the direction', async () => {
      const { ours, theirs } = await fork({ '/a.txt': 'x' }, { '/a.txt': 'ours' }, { '/a.txt': 'theirs' })
      const { tree } = await fs.merge(theirs, { strategy: 'both' })
      const other = dagfs({ blockstore })
      await other.checkout(theirs)

      expect(Object.values(await read(fs)).sort()).to.deep.equal(['ours', 'theirs'])
      expect(Object.keys(await read(fs))).to.satisfy((paths: string[]) => paths.every(path => /^\/a~[a-z2-7]{8}\.txt$/.test(path)))
      expect(String((await other.merge(ours, { strategy: 'both' })).tree)).to.equal(String(tree))
    })

    it('lets a strategy function read both sides, leave a conflict, and return content', async () => {
      const { ours, theirs } = await fork({ '/a': 'x' }, { '/a': 'ours' }, { '/a': 'theirs' })

      await expect(fs.merge(theirs, { strategy: () => undefined })).to.eventually.be.rejected.with.property('name', 'MergeConflictError')
      await fs.merge(theirs, {
        strategy: async ({ path }) => ({ content: await fs.at(ours).readFile(path, 'utf8') + await fs.at(theirs).readFile(path, 'utf8'), mode: 0o600 })
      })
      expect(await fs.readFile('/a', 'utf8')).to.equal('ourstheirs')
      expect((await fs.stat('/a')).attributes).to.deep.equal({ mode: 0o600 })
    })

    it('refuses invalid strategies and results', async () => {
      const { theirs } = await fork({ '/a': 'x' }, { '/a': 'ours' }, { '/a': 'theirs' })

      await expect(fs.merge(theirs, { strategy: 'mine' as 'ours' })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'strategy' })
      await expect(fs.merge(theirs, { strategy: () => ({}) as never })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'strategy' })
      await expect(fs.merge(theirs, { strategy: () => { throw new Error('no idea') } })).to.eventually.be.rejected.with.property('message', 'no idea')
      expect(await read(fs)).to.deep.equal({ '/a': 'ours' })
    })

    it('needs a base for a tree, which has no history', async () => {
      await write(fs, { '/a': 'x' })
      const { root: base } = await fs.commit()
      const other = dagfs({ blockstore }, { root: base })
      await write(other, { '/b': 'theirs' })
      const { root } = await other.commit()

      await expect(fs.merge(root)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'base' })
      await fs.merge(root, { base })
      expect(await read(fs)).to.deep.equal({ '/a': 'x', '/b': 'theirs' })
    })

    it('merges unrelated histories over an empty directory if asked to', async () => {
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

    it('chooses one of two best common ancestors after a criss-cross, for both sides', async () => {
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

    it('merges root attributes carried by snapshots', async () => {
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

    it('leaves everything unchanged if the store fails', async () => {
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
      })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(await read(fs)).to.deep.equal({ '/a': 'ours' })
    })
  })
})
