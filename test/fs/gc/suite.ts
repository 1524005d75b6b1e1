import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import { contentOf, readAll } from './interleavings.ts'
import type { DagFs, DagFsInit, GcProgress, RootStore } from '../../../src/index.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'
import '../../seed.ts'

/** A store that is empty, and how to get rid of it. */
export interface OpenStore {
  readonly blockstore: Blockstore
  close(): Promise<void>
}

async function add (fs: DagFs, ...paths: string[]): Promise<void> {
  await fs.addAll(paths.map(path => ({ path, content: contentOf(path) })))
}

/** What garbage collection does on every store. */
export function garbageCollectionSuite (name: string, create: () => Promise<OpenStore>, { runs }: { readonly runs: number }): void {
  describe(`gc on ${name}`, () => {
    let store: OpenStore
    let blockstore: Blockstore
    let roots: RootStore

    function open (init: DagFsInit = {}): DagFs {
      return dagfs({ blockstore }, { name: 'site', roots, ...init })
    }

    async function countBlocks (): Promise<number> {
      return (await all(blockstore.getAll())).length
    }

    /** Blocks that somebody has left behind. */
    async function leaveGarbage (fs: DagFs, times = 1): Promise<void> {
      for (let i = 0; i < times; i++) {
        await add(fs, `/garbage-${i}`)
        await fs.addAll([{ path: `/garbage-${i}`, content: '' }])
      }
    }

    async function reopen (): Promise<void> {
      store = await create()
      blockstore = store.blockstore
      roots = memoryRoots()
    }

    beforeEach(reopen)

    afterEach(async () => {
      await store.close()
    })

    it('deletes nothing from a store that holds one tree', async () => {
      const fs = open()
      await add(fs, '/a', '/b/c')
      await fs.commit()
      const blocks = await countBlocks()

      expect(await fs.gc()).to.deep.equal({ blocks, kept: blocks, deleted: 0, bytes: 0 })
    })

    it('deletes blocks that no commit includes, and counts them', async () => {
      const fs = open()
      await add(fs, '/a')
      await leaveGarbage(fs)
      await fs.commit()
      const report = await fs.gc()

      expect(report).to.include({ deleted: 1, bytes: contentOf('/garbage-0').length })
      expect(await countBlocks()).to.equal(report.kept)
    })

    it('keeps the previous root as a fallback, and no older one', async () => {
      const fs = open()
      const trees: CID[] = []

      for (const content of ['1', '2', '3']) {
        await fs.addAll([{ path: '/a', content: contentOf(content) }])
        trees.push((await fs.commit()).root)
      }

      expect((await fs.gc()).deleted).to.equal(2)
      expect(await readAll(fs.at(trees[1]))).to.deep.equal({ '/a': contentOf('2') })
      await expect(readAll(fs.at(trees[0]))).to.eventually.be.rejected.with.property('name', 'NotFoundError')
    })

    it('keeps every name of the root store', async () => {
      for (const name of ['x', 'y', 'z']) {
        const fs = open({ name })
        await add(fs, `/${name}`)
        await fs.commit()
      }

      expect((await dagfs({ blockstore }, { roots }).gc()).deleted).to.equal(0)
      expect(await readAll(open({ name: 'y' }))).to.deep.equal({ '/y': contentOf('/y') })
    })

    it('keeps uncommitted blocks of handles, and what they read', async () => {
      const fs = open()
      const other = dagfs({ blockstore })
      await add(other, '/committed')
      await other.commit()
      await add(other, '/draft')

      expect((await fs.gc()).deleted).to.equal(0)
      expect(Object.keys(await readAll(other))).to.deep.equal(['/committed', '/draft'])
      await other.commit()
      expect(Object.keys(await readAll(dagfs({ blockstore }, { root: (await other.commit()).root })))).to.deep.equal(['/committed', '/draft'])
    })

    it('keeps the stored part of a draft', async () => {
      const fs = open({ draftBytes: 1_000 })

      for (let i = 0; i < 20; i++) {
        await add(fs, `/${i % 3}/${i}`)
      }

      await fs.gc()
      await fs.commit()

      expect(Object.keys(await readAll(open())).filter(path => path.lastIndexOf('/') > 0)).to.have.lengthOf(20)
    })

    it('keeps the whole history of a name, with its trees', async () => {
      const fs = open()

      for (const content of ['1', '2', '3', '4']) {
        await fs.writeFile('/a', contentOf(content))
        await fs.snapshot({ message: content })
      }

      await fs.writeFile('/a', '')
      await fs.commit()
      await fs.gc()
      const later = open()
      const history = await all(later.log())

      expect(history.map(({ message }) => message)).to.deep.equal(['4', '3', '2', '1'])

      for (const { cid, message = '' } of history) {
        expect(await readAll(later.at(cid))).to.deep.equal({ '/a': contentOf(message) })
      }
    })

    it('continues with a shallow history', async () => {
      const fs = open()

      for (const content of ['1', '2', '3']) {
        await fs.writeFile('/a', contentOf(content))
        await fs.snapshot({ message: content })
      }

      const [, , oldest] = await all(fs.log())
      await blockstore.delete(oldest.cid)
      // the tree and content that only the oldest led to
      expect(await fs.gc()).to.include({ deleted: 2 })
      expect((await all(fs.log())).map(({ message }) => message)).to.include.members(['3', '2'])
    })

    it('keeps what was merged into a draft after its name moved on', async () => {
      const [fs, other] = [open(), open()]
      await add(fs, '/a')
      await add(other, '/b', '/dir/c')
      await other.commit()
      const error = await fs.commit().then(() => expect.fail('it published'), err => err)
      await fs.merge(error.theirs)

      for (const content of ['1', '2', '3']) {
        await other.rm('/dir', { recursive: true, force: true })
        await other.writeFile('/b', content)
        await other.commit()
      }

      await other.gc()
      expect(Object.keys(await readAll(fs))).to.deep.equal(['/a', '/b', '/dir', '/dir/c'])
    })

    it('keeps what a view reads while the view exists', async () => {
      const fs = open()
      await add(fs, '/a')
      const { root } = await fs.commit()
      const view = fs.at(root)

      for (const content of ['1', '2']) {
        await fs.addAll([{ path: '/a', content }])
        await fs.commit()
      }

      await fs.gc()
      expect(await readAll(view)).to.deep.equal({ '/a': contentOf('/a') })
    })

    it('keeps the content of an open file that was overwritten', async () => {
      const fs = open()
      await add(fs, '/a')
      await fs.commit()
      const reading = await fs.open('/a')
      await fs.addAll([{ path: '/a', content: '' }])

      for (const content of ['1', '2']) {
        await fs.addAll([{ path: '/b', content }])
        await fs.commit()
        await fs.gc()
      }

      expect(new TextDecoder().decode(await reading.readFile())).to.equal(contentOf('/a'))
      await reading.close()
    })

    it('keeps the content of an open file that was removed', async () => {
      const fs = open()
      await add(fs, '/a')
      await fs.commit()
      const handle = await fs.open('/a')
      await fs.unlink('/a')

      for (const content of ['1', '2', '3']) {
        await fs.writeFile('/b', content)
        await fs.commit()
      }

      await fs.gc()
      expect(await handle.readFile('utf8')).to.equal(contentOf('/a'))
      await handle.close()
      expect(await fs.gc()).to.include({ deleted: 1 })
    })

    it('keeps the writes to an open file that was replaced', async () => {
      const fs = open()
      await add(fs, '/a', '/c')
      await fs.commit()
      const handle = await fs.open('/a', 'r+')
      await handle.write('z', 0)
      await fs.rename('/c', '/a')
      await handle.sync()

      for (const content of ['1', '2', '3']) {
        await fs.writeFile('/b', content)
        await fs.commit()
      }

      await fs.gc()
      expect(await handle.readFile('utf8')).to.equal(`z${contentOf('/a').slice(1)}`)
      await handle.close()
    })

    it('keeps the CIDs of `keep`', async () => {
      const other = dagfs({ blockstore: new MemoryBlockstore() })
      await add(other, '/a')
      const { root } = await other.commit()
      await (async () => {
        const copy = dagfs({ blockstore })
        await add(copy, '/a')
        await copy.commit()
      })()

      await open().gc({ keep: [root] })
      expect(await readAll(open().at(root))).to.deep.equal({ '/a': contentOf('/a') })
    })

    it('deletes nothing if a tree lacks a node, and names it', async () => {
      const fs = open()
      await add(fs, '/a', '/dir/b')
      await fs.commit()
      const { cid } = await fs.stat('/dir')
      await leaveGarbage(fs)
      const stored = await countBlocks()
      await blockstore.delete(cid as CID)

      const error = await fs.gc().then(() => expect.fail('it collected'), err => err)
      expect(error).to.include({ name: 'MissingBlockError', code: 'ERR_MISSING_BLOCK' })
      expect(String(error.cid)).to.equal(String(cid))
      expect(await countBlocks()).to.equal(stored - 1)
    })

    it('deletes nothing if a name has lost its root', async () => {
      const fs = dagfs({ blockstore }, { roots, name: 'lost' })
      await add(fs, '/a')
      const { root } = await fs.commit()
      await blockstore.delete(root)

      await expect(open().gc()).to.eventually.be.rejected.with.property('code', 'ERR_MISSING_BLOCK')
    })

    it('continues if the previous root was lost', async () => {
      const fs = open()
      await add(fs, '/a')
      const { root } = await fs.commit()
      await add(fs, '/b')
      await fs.commit()
      await blockstore.delete(root)

      expect((await fs.gc()).deleted).to.equal(0)
    })

    it('reports progress', async () => {
      const fs = open()
      await leaveGarbage(fs, 3)
      await fs.commit()
      const told: GcProgress[] = []
      await fs.gc({ onProgress: event => told.push(event.detail) })

      expect(told.at(-1)).to.include({ deleted: 3 })
    })

    it('stops when aborted, and deletes nothing', async () => {
      const fs = open()
      await leaveGarbage(fs)
      await fs.commit()
      const blocks = await countBlocks()

      await expect(fs.gc({ signal: AbortSignal.abort(new Error('stop')) })).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
      expect(await countBlocks()).to.equal(blocks)
    })

    it('refuses to keep a CID that cannot be a root', async () => {
      const { cid } = await createBlock(rawCode, Uint8Array.of(1))

      await expect(open().gc({ keep: [cid] })).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'keep' })
    })

    it('blocks puts while it runs', async () => {
      const fs = open()
      const other = dagfs({ blockstore })
      await leaveGarbage(fs)
      await fs.commit()
      let isCollecting = true
      const collecting = fs.gc().finally(() => { isCollecting = false })
      const putting = add(other, '/garbage-0').then(() => isCollecting)
      await collecting

      expect(await putting).to.equal(false)
      await other.commit()
      expect(await readAll(other)).to.deep.equal({ '/garbage-0': contentOf('/garbage-0') })
    })

    it('loses nothing put, committed or read concurrently', async () => {
      await fc.assert(fc.asyncProperty(fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }), async batches => {
        await store.close()
        await reopen()
        const fs = open()
        const done = new AbortController()
        const adding = (async () => {
          for (const batch of batches) {
            await add(fs, ...batch.map(i => `/${i}`))
            await fs.commit()
          }
        })().finally(() => { done.abort() })

        while (!done.signal.aborted) {
          await dagfs({ blockstore }, { roots }).gc()
        }

        await adding
        const expected = Object.fromEntries(batches.flat().map(i => [`/${i}`, contentOf(`/${i}`)]))
        expect(await readAll(open())).to.deep.equal(expected)
        await fs.commit()
      }), { numRuns: runs })
    })

    it('frees everything unreachable', async () => {
      await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 }), async contents => {
        await store.close()
        await reopen()
        const fs = open({ draftBytes: 500 })

        for (const [i, content] of contents.entries()) {
          await fs.addAll([{ path: `/${i % 3}/file`, content: contentOf(String(content)) }])
          await fs.commit()
        }

        // the last two roots are kept
        await fs.addAll([{ path: '/last', content: '1' }])
        await fs.commit()
        await fs.addAll([{ path: '/last', content: '2' }])
        const { root } = await fs.commit()
        await fs.gc()
        const kept = (await all(blockstore.getAll())).length
        const anew = new MemoryBlockstore()

        for (const last of ['1', '2']) {
          const copy = dagfs({ blockstore: anew })
          await copy.addAll([...Object.entries(await readAll(fs.at(root))).filter(([path]) => path.endsWith('file')).map(([path, content]) => ({ path, content })), { path: '/last', content: last }])
          await copy.commit()
        }

        expect(kept).to.equal((await all(anew.getAll())).length)
      }), { numRuns: runs })
    })
  })
}
