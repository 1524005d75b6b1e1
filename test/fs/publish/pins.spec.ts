import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { MemoryDatastore } from 'datastore-core'
import fc from 'fast-check'
import { createHelia, createHeliaLight } from 'helia'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { createBlock, dagCborCode, rawCode } from '../../../src/codec/index.ts'
import { dagfs, datastoreRoots, memoryRoots } from '../../../src/index.ts'
import type { DagFs, DagFsComponents, ReadonlyDagFs } from '../../../src/index.ts'
import '../../seed.ts'

type Node = ReturnType<typeof createHeliaLight>

function contentOf (seed: string): string {
  return `${seed} `.repeat(2_000)
}

async function add (fs: DagFs, ...paths: string[]): Promise<void> {
  await fs.addAll(paths.map(path => ({ path, content: contentOf(path) })))
}

async function readAll (fs: ReadonlyDagFs): Promise<string[]> {
  const paths: string[] = []

  for await (const { path, kind } of fs.walk()) {
    paths.push(path)

    if (kind === 'file') {
      await fs.readFile(path)
    }
  }

  return paths
}

function pinsSuite (name: string, open: (blockstore: MemoryBlockstore) => Node): void {
  describe(`pins of ${name}`, () => {
    let store: MemoryBlockstore
    let helia: Node

    /** Pins are counted per block. */
    let counted = 0

    function counting (): DagFsComponents {
      const { blockstore, pins } = helia

      return {
        blockstore,
        pins: {
          ls: options => pins.ls(options),
          get: async (cid, options) => pins.get(cid, options),
          isPinned: async (cid, options) => pins.isPinned(cid, options),
          rm: (cid, options) => pins.rm(cid, options as object),
          async * add (cid, options) {
            for await (const pinned of pins.add(cid, options as object)) {
              counted++
              yield pinned
            }
          }
        },
        getCodec: async code => helia.getCodec(code)
      }
    }

    async function blocks (): Promise<number> {
      return (await all(helia.blockstore.getAll())).length
    }

    beforeEach(() => {
      store = new MemoryBlockstore()
      helia = open(store)
      counted = 0
    })

    afterEach(async () => {
      await helia.stop()
    })

    it('accept a Helia node', async () => {
      const fs = dagfs(helia)
      await add(fs, '/a')
      const { root } = await fs.commit()

      expect((await all(helia.pins.ls())).map(({ cid }) => String(cid))).to.deep.equal([String(root)])
    })

    it('keep committed blocks from helia.gc()', async () => {
      const fs = dagfs(helia)
      await add(fs, '/a', '/dir/b', '/dir/dir/c')
      await fs.commit()
      const before = await blocks()
      await helia.gc()

      expect(await blocks()).to.equal(before)
      expect(await readAll(fs)).to.deep.equal(['/a', '/dir', '/dir/b', '/dir/dir', '/dir/dir/c'])
    })

    it('keep them through many commits, each pinning only new blocks', async () => {
      const fs = dagfs(counting())
      await add(fs, ...Array.from({ length: 200 }, (_, i) => `/${i % 10}/${i}`))
      await fs.commit()

      for (let i = 0; i < 5; i++) {
        counted = 0
        await add(fs, `/0/new-${i}`)
        await fs.commit()
        // the content, its directory, the root
        expect(counted).to.equal(3)
        await helia.gc()
      }

      expect(await readAll(fs)).to.have.lengthOf(215)
    })

    it('exist one at a time, on the current root', async () => {
      const fs = dagfs(helia)

      for (const path of ['/a', '/b', '/c']) {
        await add(fs, path)
        const { root } = await fs.commit()
        expect((await all(helia.pins.ls())).map(({ cid }) => String(cid))).to.deep.equal([String(root)])
      }
    })

    it('are removed with the name, so that gc frees its blocks', async () => {
      const roots = memoryRoots()
      const fs = dagfs(helia, { name: 'site', roots })
      await add(fs, '/a')
      await fs.commit()
      const kept = dagfs(helia, { name: 'kept', roots })
      await add(kept, '/kept')
      await kept.commit()
      await fs.unpublish()
      await fs.rm('/a')
      await fs.commit()
      await fs.gc()

      expect(await blocks()).to.equal(3)
      expect(await readAll(kept)).to.deep.equal(['/kept'])
    })

    it('stay if another name has the same root', async () => {
      const roots = memoryRoots()
      const [one, other] = ['one', 'other'].map(name => dagfs(helia, { name, roots }))

      for (const fs of [one, other]) {
        await add(fs, '/a')
        await fs.commit()
      }

      await one.unpublish()
      await helia.gc()

      expect(await readAll(dagfs(helia, { name: 'other', roots }))).to.deep.equal(['/a'])
    })

    it('keep snapshots and their trees', async () => {
      const fs = dagfs(helia, { name: 'site', roots: datastoreRoots(helia.datastore) })
      const snapshots: CID[] = []

      for (const content of ['1', '2', '3']) {
        await fs.writeFile('/a', contentOf(content))
        snapshots.push((await fs.snapshot()).cid)
      }

      await fs.rm('/a')
      await fs.commit()
      await fs.commit()
      await helia.gc()
      await fs.gc()
      await helia.gc()

      for (const [i, cid] of snapshots.entries()) {
        expect(await fs.at(cid).readFile('/a', 'utf8')).to.equal(contentOf(String(i + 1)))
      }

      expect(await all(fs.log())).to.have.lengthOf(3)
    })

    it('keep a merged tree that was not pinned', async () => {
      const unpinned = dagfs(helia, { pin: false })
      await add(unpinned, '/a', '/dir/b')
      const theirs = (await unpinned.commit()).root
      const fs = dagfs(helia)
      const base = (await fs.commit()).root
      await add(fs, '/c')
      await fs.merge(theirs, { base })
      await fs.commit()
      await helia.gc()

      expect(await readAll(fs)).to.deep.equal(['/a', '/c', '/dir', '/dir/b'])
    })

    it('keep content that returns after removal', async () => {
      const fs = dagfs(helia)

      for (const content of ['1', '2', '1', '2', '1']) {
        await fs.addAll([{ path: '/a', content: contentOf(content) }])
        await fs.commit()
        await helia.gc()
        expect(await fs.readFile('/a', 'utf8')).to.equal(contentOf(content))
      }
    })

    it('cover all of an unpinned tree that a handle begins with', async () => {
      const unpinned = dagfs(helia, { pin: false })
      await add(unpinned, '/a', '/dir/b')
      const { root } = await unpinned.commit()
      const fs = dagfs(helia, { root })
      await add(fs, '/c')
      await fs.commit()
      await helia.gc()

      expect(await readAll(fs)).to.deep.equal(['/a', '/c', '/dir', '/dir/b'])
    })

    it('are not made with `pin: false`', async () => {
      const fs = dagfs(helia, { pin: false })
      await add(fs, '/a')
      await fs.commit()

      expect(await all(helia.pins.ls())).to.deep.equal([])
    })

    it('are refused without a pin store', () => {
      expect(() => dagfs({ blockstore: helia.blockstore }, { pin: true })).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'pin' })
    })

    it('of the user on a root are left alone', async () => {
      const fs = dagfs(helia)
      await add(fs, '/a')
      const unpinned = dagfs(helia, { pin: false })
      await add(unpinned, '/a')
      const { root } = await unpinned.commit()
      await all(helia.pins.add(root, { metadata: { mine: true } }))
      await fs.commit()
      await add(fs, '/b')
      await fs.commit()

      expect((await helia.pins.get(root)).metadata).to.deep.equal({ mine: true })
    })

    it('are undone after a conflict', async () => {
      const roots = memoryRoots()
      const [first, second] = [dagfs(helia, { name: 'site', roots }), dagfs(helia, { name: 'site', roots })]
      await add(first, '/a')
      await add(second, '/b')
      const { root } = await first.commit()
      await expect(second.commit()).to.eventually.be.rejected.with.property('code', 'ERR_ROOT_CONFLICT')

      expect((await all(helia.pins.ls())).map(({ cid }) => String(cid))).to.deep.equal([String(root)])
      const { cid } = await second.stat('/b')
      expect(await helia.pins.isPinned(cid ?? root)).to.equal(false)
    })

    it('do not cover a draft: a commit reports deleted blocks and keeps the edits', async () => {
      const fs = dagfs(helia, { name: 'site', roots: datastoreRoots(helia.datastore), draftBytes: 5_000 })
      await add(fs, '/a')
      await helia.gc()
      await expect(fs.commit()).to.eventually.be.rejected.with.property('code', 'ERR_MISSING_BLOCK')
      expect(await all(helia.pins.ls())).to.deep.equal([])

      await add(fs, '/a')
      await fs.commit()
      await helia.gc()
      expect(await readAll(fs)).to.deep.equal(['/a'])
    })

    it('cover directories of a draft, which the commit puts again', async () => {
      const fs = dagfs(helia)
      await fs.addAll([{ path: '/small/a', content: 'inlined' }])
      await helia.gc()
      await fs.commit()

      expect(await fs.readFile('/small/a', 'utf8')).to.equal('inlined')
    })

    it('keep every committed root through helia.gc() at any time', async function () {
      this.timeout(60_000)
      await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }), fc.boolean()), { minLength: 1, maxLength: 12 }), async steps => {
        const node = open(new MemoryBlockstore())
        const fs = dagfs(node)
        const model = new Map<string, string>()

        for (const [file, content, isCollecting] of steps) {
          await fs.addAll([{ path: `/${file % 2}/${file}`, content: contentOf(String(content)) }])
          model.set(`/${file % 2}/${file}`, contentOf(String(content)))
          await fs.commit()

          if (isCollecting) {
            await node.gc()
          }
        }

        for (const [path, content] of model) {
          expect(await fs.readFile(path, 'utf8')).to.equal(content)
        }

        await node.stop()
      }), { numRuns: 20 })
    })

    describe('and fs.gc()', () => {
      it('free what commits dropped, which stays counted until then', async () => {
        const fs = dagfs(helia)

        for (const content of ['1', '2', '3', '1', '3', '2']) {
          await fs.addAll([{ path: '/a', content: contentOf(content) }])
          await fs.commit()
        }

        await helia.gc()
        // three contents and a root for each
        expect(await blocks()).to.equal(6)
        expect(await fs.gc()).to.include({ deleted: 4, kept: 2 })
        expect(await blocks()).to.equal(2)
        expect(await readAll(fs)).to.deep.equal(['/a'])
        await helia.gc()
        expect(await readAll(fs)).to.deep.equal(['/a'])
      })

      it('keep foreign pins of any codec, with everything below', async () => {
        const fs = dagfs(helia)
        await add(fs, '/a')
        await fs.commit()
        const leaf = await createBlock(rawCode, Uint8Array.of(1, 2, 3))
        const codec = await helia.getCodec(dagCborCode)
        const node = await createBlock(dagCborCode, codec.encode({ any: ['shape', leaf.cid, 1.5] }))
        const loose = await createBlock(rawCode, Uint8Array.of(4))

        for (const { cid, bytes } of [leaf, node, loose]) {
          await helia.blockstore.put(cid, bytes)
        }

        await all(helia.pins.add(node.cid))

        expect(await fs.gc()).to.include({ deleted: 1 })
        expect(await helia.blockstore.has(leaf.cid)).to.equal(true)
        expect(await helia.blockstore.has(loose.cid)).to.equal(false)
        await all(helia.pins.rm(node.cid))
        expect(await fs.gc()).to.include({ deleted: 2 })
      })

      it('delete nothing if a foreign pin is incomplete', async () => {
        const fs = dagfs(helia)
        const codec = await helia.getCodec(dagCborCode)
        const child = await createBlock(dagCborCode, codec.encode({ any: 'shape' }))
        const node = await createBlock(dagCborCode, codec.encode({ child: child.cid }))
        await helia.blockstore.put(node.cid, node.bytes)
        await helia.blockstore.put(child.cid, child.bytes)
        await all(helia.pins.add(node.cid))
        await store.delete(child.cid)

        await expect(fs.gc()).to.eventually.be.rejected.with.property('code', 'ERR_MISSING_BLOCK')
      })

      it('keep what a closed handle without a name committed', async () => {
        const root = await (async () => {
          const fs = dagfs(helia)
          await add(fs, '/a')

          return (await fs.commit()).root
        })()
        await dagfs(helia, { pin: false }).gc()

        expect(await readAll(dagfs(helia, { root: CID.parse(String(root)) }))).to.deep.equal(['/a'])
      })
    })
  })
}

pinsSuite('createHeliaLight', blockstore => createHeliaLight({ blockstore, datastore: new MemoryDatastore(), codecs: [dagCbor] }))
pinsSuite('createHelia, not started', blockstore => createHelia({ blockstore, datastore: new MemoryDatastore() }))
