import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { inlined, numbered } from '../../directory/directories.ts'
import { CountingStore } from '../../stores.ts'
import { addedEntry } from '../../vectors/added-entry.ts'
import { pattern, vectors } from '../../vectors/notation.ts'
import { HandMade, directoryOf, fileOf } from '../hand-made.ts'
import { foreignTree, foreignWays } from './foreign.ts'
import type { ForeignWay } from './foreign.ts'
import type { AddedEntry, CanonicalizeOptions, DagFs } from '../../../src/index.ts'
import type { TreeVector } from '../../vectors/notation.ts'
import type { CID } from 'multiformats/cid'

describe('fs.canonicalize', () => {
  let store: MemoryBlockstore
  let made: HandMade
  let fs: DagFs

  beforeEach(() => {
    store = new MemoryBlockstore()
    made = new HandMade(store)
    fs = dagfs({ blockstore: store })
  })

  async function written (entries: Iterable<AddedEntry>, handle = dagfs({ blockstore: store })): Promise<CID> {
    await handle.addAll(entries)

    return (await handle.commit()).root
  }

  /** Whether a tree that is stored in a foreign way has another root, and gets that of the vector again. */
  async function isForeign ({ entries, root, title }: TreeVector, way: ForeignWay): Promise<boolean> {
    const given = await foreignTree(store, await written(entries.map(addedEntry)), way)
    const canonical = await fs.canonicalize(given)

    expect(String(canonical), title).to.equal(root)
    expect(await fs.verify(canonical, { layout: dagfs1 }), title).to.deep.include({ problemCount: 0 })
    expect(String(await fs.canonicalize(canonical)), title).to.equal(root)

    return String(given) !== root
  }

  for (const [title, way] of Object.entries(foreignWays)) {
    it(`gives the root of a fresh write of the content: ${title}`, async () => {
      const foreign: boolean[] = []

      for (const vector of vectors.trees) {
        foreign.push(await isForeign(vector, way))
      }

      expect(foreign.filter(Boolean)).to.have.length.greaterThan(2)
    })
  }

  it('stores files in the requested layout, whatever theirs is', async () => {
    for (const { bytes, layout, title } of vectors.files.filter(vector => vector.bytes < 3 * 2 ** 20 && vector.layout !== undefined)) {
      const { width, chunkBytes, inlineBytes } = layout ?? expect.fail(title)
      const [asked, content] = [{ chunker: fixedSize(chunkBytes), width, inlineBytes }, [{ path: '/f', content: pattern(bytes) }]]
      const expected = await written(content, dagfs({ blockstore: store }, { layout: asked }))

      for (const other of [{ chunker: fixedSize(5), width: 2, inlineBytes: 0 }, { chunker: fixedSize(48), width: 3, inlineBytes: 0 }, { chunker: fixedSize(2 ** 20), width: 5, inlineBytes: 2_000 }]) {
        const root = await written(content, dagfs({ blockstore: store }, { layout: other }))

        expect(String(await fs.canonicalize(root, { layout: asked })), title).to.equal(String(expected))
      }
    }
  })

  it('uses the layout of the handle by default', async () => {
    const layout = { chunker: fixedSize(100), width: 3, inlineBytes: 10 }
    const content = [{ path: '/f', content: pattern(1_234) }]
    const handle = dagfs({ blockstore: store }, { layout })
    const root = await written(content)

    expect(String(await handle.canonicalize(root))).to.equal(String(await written(content, handle)))
    expect(String(await fs.canonicalize(root))).to.equal(String(root))
  })

  it('accepts a content-defined chunker', async () => {
    const chunker = { maxChunkBytes: 100, firstChunkBytes: (bytes: Uint8Array) => bytes.subarray(0, 100).indexOf(7) + 1 || Math.min(100, bytes.byteLength) }
    const content = [{ path: '/f', content: pattern(1_234) }]
    const handle = dagfs({ blockstore: store }, { layout: { chunker, width: 10, inlineBytes: 10 } })

    expect(String(await handle.canonicalize(await written(content)))).to.equal(String(await written(content, handle)))
  })

  it('reads the tree of a snapshot', async () => {
    const root = await written([{ path: '/f', content: 'x' }])
    const { link } = await made.branches(1, [await made.leaf([inlined('a', 1)]), await made.leaf([inlined('b', 1)])])
    const { link: canonical } = await made.leaf([inlined('a', 1), inlined('b', 1)])

    expect(String(await fs.canonicalize(await made.snapshot({ tree: root, parents: [], generation: 0 })))).to.equal(String(root))
    expect(String(await fs.canonicalize(await made.snapshot({ tree: link, parents: [], generation: 0 })))).to.equal(String(canonical))
  })

  it('corrects the sizes of directories at any depth', async () => {
    const leaf = await made.leaf([inlined('a', 3)])
    const nested = await made.leaf([directoryOf('d', leaf, 1_000)])
    const { link } = await made.leaf([directoryOf('d', nested, 7), directoryOf('e', leaf, 0)])
    const root = await written(['/d/d/a', '/e/a'].map(path => ({ path, content: Uint8Array.of(1, 1, 1) })))

    expect(String(await fs.canonicalize(link))).to.equal(String(root))
  })

  it('puts no canonical block, and reads no chunk of a canonical file', async () => {
    const counting = new CountingStore()
    const handle = dagfs({ blockstore: counting }, { layout: { chunker: fixedSize(10_000), width: 4, inlineBytes: 100 } })
    const root = await written([...numbered(2_000).map(({ name }) => ({ path: `/many/${name}`, content: 'x' })), { path: '/f', content: pattern(200_000) }], handle)
    const [raw] = (await all(counting.inner.getAll())).filter(({ cid }) => cid.code === rawCode)
    await counting.inner.delete(raw.cid)
    counting.reset()

    expect(String(await handle.canonicalize(root))).to.equal(String(root))
    expect(counting.puts).to.equal(0)
  })

  it('keeps its blocks from garbage collection until the next commit', async () => {
    const { link } = await made.branches(1, [await made.leaf([inlined('a', 1)]), await made.leaf([inlined('b', 1)])])
    const canonical = await fs.canonicalize(link)
    await fs.gc()

    expect(await fs.verify(canonical)).to.deep.include({ problemCount: 0 })
    await fs.checkout(canonical)
    await fs.commit()
    await fs.gc()
    expect(await all(store.getAll())).to.have.lengthOf(1)
  })

  it('does not change the handle or its edits', async () => {
    await fs.writeFile('/own', 'x')
    const canonical = await fs.canonicalize((await made.leaf([inlined('a', 1)])).link)

    expect(await fs.readdir('/')).to.deep.equal(['own'])
    expect(await fs.at(canonical).readdir('/')).to.deep.equal(['a'])
    expect((await fs.opened()).root).to.equal(undefined)
  })

  it('rewrites equal directories and files once: a tree of 2^40 paths is 41 blocks', async () => {
    const counting = new CountingStore()
    const bomb = new HandMade(counting.inner)
    const index = await bomb.index([{ length: 1, link: await bomb.raw(Uint8Array.of(1)) }, { length: 1, link: await bomb.raw(Uint8Array.of(2)) }])
    let below = await bomb.leaf([fileOf('a', index.link, 2), fileOf('b', index.link, 2)])

    for (let i = 0; i < 40; i++) {
      below = await bomb.leaf([directoryOf('a', below), directoryOf('b', below)])
    }

    const canonical = await dagfs({ blockstore: counting }).canonicalize(below.link)
    expect(counting.puts).to.equal(41)
    expect(await dagfs({ blockstore: counting }).verify(canonical)).to.deep.include({ blocks: 41, problemCount: 0 })
  })

  it('reads a hostile index once for each level: 2^50 bytes are 51 blocks', async () => {
    const layout = { chunker: fixedSize(1), width: 2, inlineBytes: 0 }
    let part = { length: 1, link: await made.raw(Uint8Array.of(1)) }

    for (let i = 0; i < 50; i++) {
      part = await made.index([part, part])
    }

    const { link } = await made.leaf([fileOf('a', part.link, part.length)])
    expect(String(await fs.canonicalize(link, { layout }))).to.equal(String(link))
  })

  it('stops at its limits, also before a hostile file of 2^50 bytes', async () => {
    let part = { length: 1, link: await made.raw(Uint8Array.of(1)) }

    for (let i = 0; i < 50; i++) {
      part = await made.index([part, part])
    }

    const { link } = await made.leaf([fileOf('a', part.link, part.length)])
    await expect(fs.canonicalize(link)).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', exceeded: 'bytes', limit: 2 ** 33 })
    const { link: leaf } = await made.leaf(numbered(3))
    expect(String(await fs.canonicalize(leaf, { limits: { entries: 3, blocks: 1 } }))).to.equal(String(leaf))
    await expect(fs.canonicalize(leaf, { limits: { entries: 2 } })).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', exceeded: 'entries' })
    await expect(fs.canonicalize(leaf, { limits: { blocks: 0 } })).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', exceeded: 'blocks' })
  })

  it('refuses a tree that is too deep, also through a shared directory', async () => {
    let below = await made.leaf([inlined('a', 0)])
    const nest = async (levels: number): Promise<void> => {
      for (let i = 0; i < levels; i++) {
        below = await made.leaf([directoryOf('d', below)])
      }
    }
    await nest(1_023)
    expect(String(await fs.canonicalize(below.link))).to.equal(String(below.link))
    const { link: deeper } = await made.leaf([directoryOf('d', below)])
    const shared = below
    await nest(1)
    const { link: both } = await made.leaf([directoryOf('a', shared), directoryOf('b', below)])

    for (const root of [deeper, both]) {
      await expect(fs.canonicalize(root)).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
    }
  })

  it('refuses an unreadable tree', async () => {
    const raw = await made.raw(new Uint8Array(100))
    const index = await made.index([{ length: 100, link: raw }, { length: 100, link: raw }])
    const leaf = await made.leaf([inlined('a', 1)])
    const { cid: lost } = await createBlock(rawCode, Uint8Array.of(1, 2, 3))
    const cases: Array<[CID, string]> = [
      [raw, 'InvalidOptionError'],
      [index.link, 'InvalidNodeError'],
      [(await made.leaf([fileOf('a', raw, 99)])).link, 'InvalidNodeError'],
      [(await made.leaf([fileOf('a', index.link, 199)])).link, 'InvalidNodeError'],
      [(await made.leaf([fileOf('a', lost, 3)])).link, 'NotFoundError'],
      [(await made.branches(1, [leaf])).link, 'InvalidNodeError'],
      [(await made.branches(1, [{ ...leaf, size: 2 }, await made.leaf([inlined('b', 1)])])).link, 'InvalidNodeError']
    ]

    for (const [root, name] of cases) {
      await expect(fs.canonicalize(root)).to.eventually.be.rejected.with.property('name', name)
    }

    await expect(fs.canonicalize(leaf.link, { depth: 1 } as CanonicalizeOptions)).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
  })

  it('reports progress, and stops when aborted', async () => {
    const { link } = await made.leaf(numbered(1_500))
    const controller = new AbortController()
    const told: number[] = []
    await fs.canonicalize(link, { onProgress: ({ detail }) => { told.push(detail.entries) } })

    expect(told).to.deep.equal([1_000, 1_500])
    await expect(fs.canonicalize(link, { signal: controller.signal, onProgress: () => { controller.abort(new Error('enough')) } })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  })
})
