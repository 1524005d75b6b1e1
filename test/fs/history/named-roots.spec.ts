import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import { read, snapshotOver, told, write } from './files.ts'
import type { DagFs, RootConflictError, RootStore } from '../../../src/index.ts'
import '../../seed.ts'

describe('fs/history', () => {
  let blockstore: MemoryBlockstore

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
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

    it('merges a concurrent commit over the common ancestor, and is published', async () => {
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

    it('keeps the edits if a snapshot conflicts, for the next snapshot', async () => {
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

    it('loses nothing published after the merged snapshot', async () => {
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

    it('replaces its edits by the published root', async () => {
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

    it('keeps a merged snapshot from garbage collection until another links to it', async () => {
      const one = open()
      const base = await one.snapshot()
      const theirs = await snapshotOver(blockstore, base.cid, 'theirs', { '/two': '' })
      await write(one, { '/one': '' })
      await one.snapshot()
      await one.merge(theirs)
      await one.gc()

      expect((await one.snapshot()).parents.map(String)).to.include(String(theirs))
      expect(await all(one.log())).to.have.lengthOf(4)
    })
  })
})
