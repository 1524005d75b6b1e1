import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { dagfs, dagfs1, fixedSize } from '../../src/index.ts'
import { CountingStore } from '../stores.ts'
import type { DagFs, FileLayout } from '../../src/index.ts'
import '../seed.ts'

describe('fs', () => {
  let fs: DagFs

  beforeEach(() => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
  })

  it('walks and compares a tree of maximum depth', async () => {
    const deepest = `/${'d/'.repeat(1_023)}d`
    const { root: before } = await fs.commit()
    await fs.mkdir(deepest, { recursive: true })
    const { root } = await fs.commit()
    const walked = await all(fs.walk())
    const compared = await all(fs.diff(before, root))

    expect([walked.at(-1)?.path, compared.at(-1)?.path]).to.deep.equal([deepest, deepest])
    await expect(fs.mkdir(`${deepest}/d`)).to.eventually.be.rejected.with.include({ code: 'ENAMETOOLONG' })
  }).timeout(20_000)

  describe('dagfs', () => {
    it('refuses unknown options, naming them', () => {
      expect(() => dagfs({ blockstore: new MemoryBlockstore() }, { rot: 1 } as object)).to.throw().with.include({ name: 'InvalidOptionError', option: 'rot' })
    })

    it('refuses what is not a blockstore', () => {
      expect(() => dagfs({} as any)).to.throw().with.include({ name: 'InvalidOptionError', option: 'blockstore' })
      expect(() => dagfs(undefined as any)).to.throw().with.include({ name: 'InvalidOptionError', option: 'blockstore' })
    })

    it('refuses options that are not an object, naming them', () => {
      for (const init of ['name', 1, null]) {
        expect(() => dagfs({ blockstore: new MemoryBlockstore() }, init as any)).to.throw().with.include({ name: 'InvalidOptionError', option: 'options' })
      }
    })

    it('shows how to parse a root from text', () => {
      const text = 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua'

      for (const open of [() => dagfs({ blockstore: new MemoryBlockstore() }, { root: text as any }), () => fs.at(text as any)]) {
        expect(open).to.throw(/CID\.parse/).with.include({ name: 'InvalidOptionError', option: 'root' })
      }
    })

    it('refuses a clock that is not a function', () => {
      expect(() => dagfs({ blockstore: new MemoryBlockstore() }, { clock: new Date() as any })).to.throw().with.include({ name: 'InvalidOptionError', option: 'clock' })
    })

    it('refuses a clock that does not return a Date', async () => {
      for (const clock of [() => Date.now(), () => '1700000000', () => undefined]) {
        const timed = dagfs({ blockstore: new MemoryBlockstore() }, { clock: clock as any })

        await expect(timed.mkdir('/a')).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'clock' })
      }
    })

    it('has its constants on its class, to keep inspection short', () => {
      expect(Object.keys(fs)).to.not.include('constants')
      expect(fs.constants).to.include({ R_OK: 4 })
    })

    const roots = [
      'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn',
      'bafybeiczsscdsbs7ffqz55asqdf3smv6klcw3gofszvwlyarci47bgf354',
      'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
      'bafkqaaa'
    ]

    roots.forEach(root => {
      it(`refuses the root ${root}, which is not a dag-cbor block with sha2-256`, () => {
        const open = dagfs.bind(undefined, { blockstore: new MemoryBlockstore() }, { root: CID.parse(root) })

        expect(open).to.throw().with.include({ name: 'InvalidOptionError', option: 'root' })
        expect(fs.at.bind(fs, CID.parse(root))).to.throw().with.include({ name: 'InvalidOptionError', option: 'root' })
      })
    })

    const chunks = fixedSize(100)
    const layouts: Array<[what: string, layout: unknown, option: string]> = [
      ['no chunker', { width: 1024, inlineBytes: 0 }, 'layout.chunker'],
      ['chunks over 1 MiB', { ...dagfs1, chunker: { ...chunks, maxChunkBytes: 2 ** 20 + 1 } }, 'layout.chunker.maxChunkBytes'],
      ['a width of 1', { ...dagfs1, width: 1 }, 'layout.width'],
      ['a width of 2.5', { ...dagfs1, width: 2.5 }, 'layout.width'],
      ['a width of 1,025', { ...dagfs1, width: 1025 }, 'layout.width'],
      ['inlining more than 32 KiB', { ...dagfs1, inlineBytes: 32_769 }, 'layout.inlineBytes'],
      ['inlining more than a chunk', { ...dagfs1, chunker: chunks, inlineBytes: 101 }, 'layout.inlineBytes']
    ]

    layouts.forEach(([what, layout, option]) => {
      it(`refuses a layout with ${what}`, () => {
        const open = dagfs.bind(undefined, { blockstore: new MemoryBlockstore() }, { layout: layout as FileLayout })

        expect(open).to.throw().with.include({ name: 'InvalidOptionError', option })
      })
    })

    it('writes in the given layout', async () => {
      const small = dagfs({ blockstore: new MemoryBlockstore() }, { layout: { chunker: chunks, width: 3, inlineBytes: 10 } })
      await small.addAll([{ path: '/a', content: 'a'.repeat(2_000) }])
      const { root } = await small.commit()

      expect(String(root)).to.equal('bafyreifu5wejqlzhexjoxtxx7cpuidxss7wfhxsvcvwcdhuxtrdg5rvz3e')
      expect(await small.at(root).readFile('/a', 'utf8')).to.equal('a'.repeat(2_000))
    })

    it('reports a missing root as a missing block, not as a missing path', async () => {
      const root = CID.parse('bafyreifk34marubf57zmn2ahhi23q5ovhuhig6t42ms44tcfjunzlugocy')

      await expect(fs.at(root).stat('/')).to.eventually.be.rejected.with.include({ name: 'NotFoundError', cid: root })
      await expect(fs.at(root).readFile('/a')).to.eventually.be.rejected.with.include({ name: 'NotFoundError', cid: root })
    })
  })

  describe('commit', () => {
    it('keeps the old root and all edits after a store failure, then succeeds', async () => {
      for (let failing = 1; ; failing++) {
        const store = new CountingStore()
        const failed = dagfs({ blockstore: store })
        await failed.addAll([{ path: '/a/b', content: 'x' }])
        const { root } = await failed.commit()
        await failed.addAll([{ path: '/a/c', content: 'y' }, { path: '/d/e', content: 'z' }])
        store.failPutAt = store.puts + failing
        const failure = await failed.commit().then(() => undefined, err => err)
        store.failPutAt = Number.POSITIVE_INFINITY

        expect((await all(failed.at(root).walk())).map(({ path }) => path)).to.deep.equal(['/a', '/a/b'])
        const committed = await failed.commit()
        expect((await all(failed.at(committed.root).walk())).map(({ path }) => path)).to.deep.equal(['/a', '/a/b', '/a/c', '/d', '/d/e'])

        if (failure === undefined) {
          expect(failing).to.be.above(2)
          return
        }

        expect(failure).to.have.property('message', 'the store is full')
      }
    })

    it('puts every block after the blocks it links to', async () => {
      const { links } = await import('../../src/codec/index.ts')
      const stored = new Set<string>()
      const inner = new MemoryBlockstore()
      const blockstore = {
        get: inner.get.bind(inner),
        async put (cid: CID, bytes: Uint8Array) {
          await new Promise(resolve => setTimeout(resolve, Math.random() * 3))
          expect(links({ cid, bytes }).filter(link => !stored.has(String(link)))).to.deep.equal([])
          stored.add(String(cid))

          return inner.put(cid, bytes)
        }
      }
      const ordered = dagfs({ blockstore })
      await ordered.addAll(Array.from({ length: 600 }, (_, i) => ({ path: `/${i % 7}/${i % 5}/${i}`, content: `${i}`.repeat(2_500) })))
      await ordered.commit()

      expect(stored.size).to.be.above(600)
    })

    it('reports that nothing was synced', async () => {
      expect((await fs.commit()).durability).to.equal('none')
    })

    it('writes only changes', async () => {
      const store = new CountingStore()
      const counted = dagfs({ blockstore: store })
      await counted.addAll(Array.from({ length: 500 }, (_, i) => ({ path: `/${i % 10}/${i}`, content: `${i}` })))
      await counted.commit()
      store.reset()
      await counted.addAll([{ path: '/3/new', content: 'x' }])
      await counted.commit()

      expect(store.puts).to.equal(2)
    })
  })
})
