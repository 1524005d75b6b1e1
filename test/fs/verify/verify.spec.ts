import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { createBlock, decodeDirectory, isLeaf, links, rawCode } from '../../../src/codec/index.ts'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { inlined, numbered } from '../../directory/directories.ts'
import { CountingStore } from '../../stores.ts'
import { HandMade, directoryOf, fileOf } from '../hand-made.ts'
import type { Branch, Entry } from '../../../src/codec/index.ts'
import type { DagFs, TreeProblem, VerifyOptions, VerifyReport } from '../../../src/index.ts'

const small = { chunker: fixedSize(100), width: 3, inlineBytes: 10 }

const plain = ({ problems }: VerifyReport): string[] => problems.map(({ kind, path }) => `${kind} ${path}`)

describe('fs.verify', () => {
  let store: MemoryBlockstore
  let made: HandMade
  let fs: DagFs

  beforeEach(() => {
    store = new MemoryBlockstore()
    made = new HandMade(store)
    fs = dagfs({ blockstore: store })
  })

  const bytesOf = async (cid: CID): Promise<Uint8Array> => (await all(store.get(cid)))[0]
  const verify = async (root: CID, options?: VerifyOptions): Promise<string[]> => plain(await fs.verify(root, options))
  const leafRoot = async (...entries: Entry[]): Promise<CID> => (await made.leaf(entries)).link

  /** A tree with every kind of node: three levels of branches, an index over indexes, inlined files, links. */
  async function fullTree (handle = dagfs({ blockstore: store }, { layout: small })): Promise<CID> {
    await handle.addAll([
      { path: '/raw', content: new Uint8Array(60).fill(1) },
      { path: '/indexed', content: new Uint8Array(1_234).map((_, i) => i) },
      { path: '/inlined', content: 'hello' },
      { path: '/link', kind: 'symlink', target: 'inlined' },
      { path: '/empty', kind: 'directory' },
      ...Array.from({ length: 600 }, (_, i) => ({ path: `/many/${i}`, content: `${i}`, meta: { filling: 'x'.repeat(200) } }))
    ])

    return (await handle.commit()).root
  }

  /** Every block below a root, by what is stored. */
  async function blocksBelow (root: CID): Promise<CID[]> {
    const found = new Map<string, CID>([[String(root), root]])

    for (const cid of found.values()) {
      if (cid.code !== rawCode) {
        links({ cid, bytes: await bytesOf(cid) }).forEach(link => found.set(String(link), link))
      }
    }

    return [...found.values()]
  }

  it('finds no problem in a fresh tree, and counts its blocks', async () => {
    const root = await fullTree()
    const blocks = await blocksBelow(root)
    const sizes = await Promise.all(blocks.map(async cid => (await bytesOf(cid)).byteLength))
    const report = await fs.verify(root, { layout: small })

    expect(blocks.length).to.be.greaterThan(15)
    expect(report).to.deep.equal({ blocks: blocks.length, bytes: sizes.reduce((a, b) => a + b), problems: [], problemCount: 0, shallow: [] })
  })

  it('names each missing block, and its path', async () => {
    const root = await fullTree()

    for (const cid of await blocksBelow(root)) {
      const bytes = await bytesOf(cid)
      await store.delete(cid)
      const { problems } = await fs.verify(root)
      await store.put(cid, bytes)

      expect(problems).to.have.lengthOf(1)
      expect(problems[0]).to.include({ kind: 'missing' })
      expect(problems[0].cid.equals(cid)).to.equal(true)
      expect(['/', '/raw', '/indexed', '/empty', '/many']).to.include(problems[0].path)
    }
  })

  it('names each block with wrong bytes, also in a trusted store', async () => {
    const root = await fullTree()
    const trusting = dagfs({ blockstore: Object.assign(Object.create(store), { checksBytes: true }) }, { trusted: true })

    for (const cid of await blocksBelow(root)) {
      const bytes = await bytesOf(cid)
      store.put(cid, Uint8Array.from(bytes, byte => byte ^ 1))
      const { problems } = await trusting.verify(root)
      store.put(cid, bytes)

      expect(problems.map(({ kind, cid: found }) => `${kind} ${found}`)).to.deep.equal([`damaged ${cid}`])
    }
  })

  it('reads from the store again, not from caches', async () => {
    const root = await fullTree(fs)
    await all(fs.walk('/'))
    await store.delete(root)

    expect(plain(await fs.verify())).to.deep.equal(['missing /'])
  })

  it('checks the handle\'s tree, a view or another filesystem', async () => {
    await fs.writeFile('/a', 'x')
    expect(await fs.verify()).to.deep.include({ blocks: 0, problemCount: 0 })
    const { root } = await fs.commit()
    await fs.writeFile('/b', 'x')

    expect(await fs.verify()).to.deep.include({ blocks: 1, problemCount: 0 })
    expect(await fs.at(root).verify()).to.deep.include({ blocks: 1, problemCount: 0 })
    expect(await dagfs({ blockstore: store }, { root, readonly: true }).verify()).to.deep.include({ blocks: 1, problemCount: 0 })
  })

  it('checks a file by its CID, of one block or several', async () => {
    const raw = await made.raw(new Uint8Array(100))
    const { link } = await made.index([{ length: 100, link: raw }, { length: 100, link: raw }])

    expect(await fs.verify(raw)).to.deep.include({ blocks: 1, bytes: 100, problemCount: 0 })
    expect(await fs.verify(link)).to.deep.include({ blocks: 2, problemCount: 0 })
    await store.delete(raw)
    expect(await verify(link)).to.deep.equal(['missing /'])
  })

  it('refuses a CID that is not a root', async () => {
    for (const root of ['bafy', CID.parse('QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn')]) {
      await expect(fs.verify(root as CID)).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
    }

    await expect(fs.verify(await fullTree(), { depth: 1 } as VerifyOptions)).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
  })

  describe('claims about a block', () => {
    it('are compared: the size of a directory', async () => {
      const leaf = await made.leaf([inlined('a', 3)])

      expect(await verify(await leafRoot(directoryOf('d', leaf, 1_000)))).to.deep.equal(['contradiction /d'])
      expect(await verify(await leafRoot(directoryOf('d', leaf), directoryOf('e', leaf, 4)))).to.deep.equal(['contradiction /e'])
    })

    it('are compared: the size of a file, with its block or index', async () => {
      const raw = await made.raw(new Uint8Array(100))
      const { link } = await made.index([{ length: 100, link: raw }, { length: 100, link: raw }])
      const lying = await made.index([{ length: 100, link: raw }, { length: 99, link: raw }])

      expect(await verify(await leafRoot(fileOf('a', raw, 100), fileOf('b', raw, 99)))).to.deep.equal(['contradiction /b'])
      expect(await verify(await leafRoot(fileOf('a', link, 200), fileOf('b', link, 201)))).to.deep.equal(['contradiction /b'])
      expect(await verify(await leafRoot(fileOf('a', lying.link, 199)))).to.deep.equal(['contradiction /a'])
    })

    it('are compared: level, first name, count and size of a branch', async () => {
      const runs = await Promise.all([numbered(100).slice(0, 50), numbered(100).slice(50)].map(async entries => made.leaf(entries)))
      const lies: Array<Partial<Branch>> = [{ first: 'file-00000050.tx' }, { count: 51 }, { size: 1 }]

      for (const lie of lies) {
        const { link } = await made.branches(1, [runs[0], { ...runs[1], ...lie }])
        expect(await verify(link), Object.keys(lie)[0]).to.include('contradiction /')
      }

      expect((await verify((await made.branches(2, runs)).link)).filter(found => found === 'contradiction /')).to.have.lengthOf(2)
    })

    it('are compared: the order of names across the blocks of a directory', async () => {
      const runs = await Promise.all([[inlined('a', 5_000), inlined('z', 1)], [inlined('b', 1)]].map(async entries => made.leaf(entries)))

      expect(await verify((await made.branches(1, runs)).link)).to.include('contradiction /')
    })

    it('include two branches in a root, and two parts in an index', async () => {
      const leaf = await made.leaf([inlined('a', 1)])
      const raw = await made.raw(new Uint8Array(100))
      const index = await made.index([{ length: 100, link: raw }])

      expect(await verify((await made.branches(1, [leaf])).link)).to.deep.equal(['contradiction /'])
      expect(await verify(await leafRoot(fileOf('f', index.link, 100)))).to.deep.equal(['contradiction /f'])
    })

    it('include the kind of node: directory, index or snapshot', async () => {
      const leaf = await made.leaf([inlined('a', 3)])
      const snapshot = await made.snapshot({ tree: leaf.link, parents: [], generation: 0 })
      const root = await leafRoot(fileOf('a', leaf.link, 3), directoryOf('b', { link: snapshot, size: 0 }), directoryOf('c', leaf))

      expect(await verify(root)).to.deep.equal(['invalid /a', 'invalid /b'])
    })
  })

  describe('a node that is not canonical', () => {
    async function problemsAt (hex: string): Promise<string[]> {
      const link = await made.node(Uint8Array.from(hex.match(/../g) ?? [], byte => parseInt(byte, 16)))

      return [...await verify(link), ...await verify(await leafRoot(directoryOf('d', { link, size: 0 }), fileOf('f', link, 2)))]
    }

    for (const [what, hex] of [
      ['a leaf with a head that is too long', 'a163646972980180'],
      ['an index of no parts', '80'],
      ['bytes after the item', 'a1636469728000'],
      ['nothing', '']
    ]) {
      it(`is invalid: ${what}`, async () => {
        expect(await problemsAt(hex)).to.deep.equal(['invalid /', 'invalid /d', 'invalid /f'])
      })
    }

    it('is of an unknown type', async () => {
      const link = await made.node(Uint8Array.of(0xa1, 0x64, 0x64, 0x69, 0x72, 0x32, 0x80))

      expect(await verify(await leafRoot(directoryOf('d', { link, size: 0 }), fileOf('f', link, 2)))).to.deep.equal(['unsupported /d', 'unsupported /f'])
    })

    it('is larger than the block limit', async () => {
      const { cid, bytes } = await createBlock(rawCode, new Uint8Array(2 ** 21 + 1))
      await store.put(cid, bytes)

      expect(await verify(await leafRoot(fileOf('f', cid, 2 ** 21 + 1)))).to.deep.equal(['invalid /f'])
    })
  })

  describe('the boundaries of a directory', () => {
    async function cutAt (counts: readonly number[], entries: readonly Entry[]): Promise<CID> {
      const runs: Branch[] = []
      let start = 0

      for (const count of counts) {
        runs.push(await made.leaf(entries.slice(start, start + count)))
        start += count
      }

      return runs.length === 1 ? runs[0].link : (await made.branches(1, runs)).link
    }

    const entries = numbered(3_000)
    /** How many entries the leaves of the canonical directory have */
    let counts: number[]
    let canonical: CID

    before(async () => {
      const own = new MemoryBlockstore()
      const handle = dagfs({ blockstore: own })
      await handle.addAll(entries.map(({ name }) => ({ path: name, content: '' })))
      canonical = (await handle.commit()).root
      const node = decodeDirectory({ cid: canonical, bytes: (await all(own.get(canonical)))[0] })
      counts = isLeaf(node) ? [] : node.branches.map(({ count }) => count)
    })

    const listed = async (root: CID): Promise<string[]> => (await all(fs.at(root).ls('/'))).map(({ name }) => name)
    const changed = async (change: (counts: number[]) => readonly number[]): Promise<CID> => cutAt(change(counts), entries)

    it('match a build, and no others do', async () => {
      expect(counts.length).to.be.within(3, 20)
      expect((await cutAt(counts, entries)).equals(canonical)).to.equal(true)
      expect(await verify(await cutAt(counts, entries))).to.deep.equal([])
    })

    for (const [what, change] of [
      ['a run of one entry fewer', ([first, second, ...others]: number[]) => [first - 1, second + 1, ...others]],
      ['a run of one entry more', ([first, second, ...others]: number[]) => [first + 1, second - 1, ...others]],
      ['two runs as one', ([first, second, ...others]: number[]) => [first + second, ...others]],
      ['one run as two', ([first, ...others]: number[]) => [first - 10, 10, ...others]],
      ['the last run as two', (all: number[]) => [...all.slice(0, -1), (all.at(-1) ?? 0) - 5, 5]],
      ['all as one', () => [3_000]]
    ] as const) {
      it(`differ in a directory with ${what}`, async () => {
        const root = await changed(change)

        expect(new Set(await verify(root))).to.deep.equal(new Set(['boundaries /']))
        expect(await listed(root)).to.have.lengthOf(3_000)
      })
    }

    it('are checked above the leaves', async () => {
      const leaves = await Promise.all(numbered(40).map(async entry => made.leaf([{ ...entry, content: new Uint8Array(30_000), size: 30_000 }, { ...entry, name: `${entry.name}x`, content: new Uint8Array(30_000), size: 30_000 }])))
      const upper = await Promise.all([leaves.slice(0, 20), leaves.slice(20)].map(async runs => made.branches(1, runs)))
      const root = await made.branches(2, upper)
      const { problems } = await fs.verify(root.link)

      expect(problems.some(({ cid }) => cid.equals(upper[0].link))).to.equal(true)
    })
  })

  describe('the layout of files', () => {
    const chunk = new Uint8Array(100)

    it('is that of the option: inlined, one block, or an index', async () => {
      const raw = await made.raw(chunk)
      const short = await made.raw(chunk.subarray(0, 10))
      const { link, length } = await made.index([{ length: 10, link: short }, { length: 10, link: short }])
      const root = await leafRoot(inlined('a', 11), fileOf('b', short, 10), fileOf('c', link, length), fileOf('d', raw, 100), inlined('e', 10))

      expect(await verify(root, { layout: small })).to.include.members(['layout /a', 'layout /b', 'layout /c']).and.not.include.members(['layout /d', 'layout /e'])
      expect(await verify(root)).to.deep.equal([])
    })

    it('includes how an index is filled and cut', async () => {
      const part = { length: 100, link: await made.raw(chunk) }
      const rest = { length: 1, link: await made.raw(chunk.subarray(0, 1)) }
      const full = await made.index([part, part, part])

      for (const [parts, isRight] of [
        [[full, await made.index([part])], true],
        [[full, await made.index([rest])], true],
        [[await made.index([part, part]), await made.index([part, part])], false],
        [[await made.index([part, part, part, part])], false],
        [[await made.index([part, rest, part]), await made.index([part])], false],
        [[await made.index([full, await made.index([rest])]), full], false]
      ] as const) {
        const { link, length } = parts.length === 1 ? parts[0] : await made.index(parts)
        const found = await verify(await leafRoot(fileOf('f', link, length)), { layout: small })

        expect(new Set(found)).to.deep.equal(new Set(isRight ? [] : ['layout /f']))
      }
    })

    it('is known by a handle, and recorded by a snapshot', async () => {
      const handle = dagfs({ blockstore: store }, { layout: small })
      await handle.writeFile('/a', 'more than ten bytes')
      const { root } = await handle.commit()
      const snapshot = await made.snapshot({ tree: root, parents: [], generation: 0, layout: { width: 3, chunkBytes: 10, inlineBytes: 10 } })

      expect(plain(await handle.verify())).to.deep.equal([])
      expect(plain(await dagfs({ blockstore: store }, { root, layout: dagfs1 }).verify())).to.deep.equal(['layout /a'])
      expect(plain(await dagfs({ blockstore: store }, { root }).verify())).to.deep.equal([])
      expect(await verify(snapshot)).to.deep.equal(['layout /a'])
    })
  })

  describe('a history', () => {
    it('is checked if asked to, each tree under its snapshot', async () => {
      await fs.writeFile('/a', 'x'.repeat(5_000))
      const first = await fs.snapshot()
      const [{ cid }] = await all(fs.at(first.cid).ls('/'))
      await fs.rm('/a')
      const second = await fs.snapshot()
      await store.delete(cid as CID)

      expect(await verify(second.cid)).to.deep.equal([])
      expect(plain(await fs.verify(undefined, { history: true }))).to.deep.equal(['missing /a'])
      const { problems, blocks } = await fs.verify(second.cid, { history: true })
      expect(problems[0].snapshot?.equals(first.cid)).to.equal(true)
      expect(blocks).to.equal(4)
    })

    it('may end where the stored history ends', async () => {
      const first = await fs.snapshot()
      const second = await fs.snapshot({ message: 'second' })
      await store.delete(first.cid)
      const report = await fs.verify(second.cid, { history: true })

      expect(report).to.deep.include({ problemCount: 0 })
      expect(report.shallow.map(String)).to.deep.equal([String(first.cid)])
      expect(await fs.verify(first.cid)).to.deep.include({ problemCount: 1 })
    })

    it('has generations one above the highest parent', async () => {
      const { cid, tree } = await fs.snapshot()
      const late = await made.snapshot({ tree, parents: [cid], generation: 2 })

      expect(await verify(late)).to.deep.equal([])
      expect(await verify(late, { history: true })).to.deep.equal(['contradiction /'])
    })

    it('has snapshots as parents', async () => {
      const { tree } = await fs.snapshot()

      expect(await verify(await made.snapshot({ tree, parents: [tree], generation: 1 }), { history: true })).to.include('invalid /')
    })
  })

  it('checks equal CIDs once: a tree of 2^40 paths is 41 blocks', async () => {
    const counting = new CountingStore()
    const bomb = new HandMade(counting.inner)
    let below = await bomb.leaf([])

    for (let i = 0; i < 40; i++) {
      below = await bomb.leaf([directoryOf('a', below), directoryOf('b', below)])
    }

    expect(await dagfs({ blockstore: counting }).verify(below.link)).to.deep.include({ blocks: 41, problemCount: 0 })
    expect(counting.gets).to.equal(41)
  })

  it('stops at its limits', async () => {
    const root = await fullTree()
    const { blocks, bytes } = await fs.verify(root)

    expect(await fs.verify(root, { limits: { blocks, bytes } })).to.deep.include({ blocks, problemCount: 0 })

    for (const [exceeded, limit] of [['blocks', blocks - 1], ['bytes', bytes - 1], ['entries', 605]] as const) {
      await expect(fs.verify(root, { limits: { [exceeded]: limit } })).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', exceeded, limit })
    }

    expect(await fs.verify(root, { limits: { entries: 606 } })).to.deep.include({ blocks })
  })

  it('stops if one block is linked to with ever different claims', async () => {
    const large = await made.raw(new Uint8Array(2 ** 20))
    const leaves = await Promise.all(Array.from({ length: 4 }, async (_, i) => made.leaf(Array.from({ length: 300 }, (_, j) => fileOf(`${i}${String(j).padStart(3, '0')}`, large, 1 + i * 300 + j)))))

    await expect(fs.verify((await made.branches(1, leaves)).link)).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', exceeded: 'bytes', limit: 2 ** 30 })
  })

  it('lists as many problems as requested, and counts the others', async () => {
    const missing = await Promise.all(Array.from({ length: 50 }, async (_, i) => createBlock(rawCode, Uint8Array.of(i))))
    const root = await leafRoot(...missing.map(({ cid }, i) => fileOf(`f${String(i).padStart(2, '0')}`, cid, 1)))
    const report = await fs.verify(root, { maxProblems: 3 })

    expect(plain(report)).to.deep.equal(['missing /f00', 'missing /f01', 'missing /f02'])
    expect(report.problemCount).to.equal(50)
  })

  it('reports entries that are too deep', async () => {
    let below = await made.leaf([inlined('a', 0)])

    for (let i = 0; i < 1_024; i++) {
      below = await made.leaf([directoryOf('d', below)])
    }

    expect((await verify(below.link)).map(found => found.slice(0, 14))).to.deep.equal(['too-deep /d/d/'])
  })

  it('reports an unreadable block with its cause', async () => {
    const root = await fullTree()
    const failing = Object.assign(Object.create(store), { get: (cid: CID) => { if (cid.code === rawCode) { throw new Error('EIO') } else { return store.get(cid) } } })
    const { problems } = await dagfs({ blockstore: failing }).verify(root)

    expect(new Set(problems.map(({ kind, path, cause }: TreeProblem) => `${kind} ${path} ${(cause as Error).message}`))).to.deep.equal(new Set(['unreadable /raw EIO', 'unreadable /indexed EIO']))
  })

  it('reports progress, and stops when aborted', async () => {
    const root = await fullTree()
    const told: number[] = []
    const report = await fs.verify(root, { onProgress: ({ detail }) => { told.push(detail.blocks) } })

    expect(told.at(-1)).to.equal(report.blocks)
    const controller = new AbortController()
    const aborting = dagfs({ blockstore: Object.assign(Object.create(store), { get: (cid: CID) => { controller.abort(new Error('enough')); return store.get(cid) } }) })
    await expect(aborting.verify(root, { signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  })

  it('finds no problem in any layout that a handle writes', async () => {
    for (const layout of [small, { chunker: fixedSize(1), width: 2, inlineBytes: 0 }, { chunker: fixedSize(7), width: 2, inlineBytes: 7 }]) {
      const handle = dagfs({ blockstore: store }, { layout })
      await handle.addAll(Array.from({ length: 40 }, (_, i) => ({ path: `/${i}`, content: new Uint8Array(i) })))
      const { root } = await handle.commit()

      expect(await verify(root, { layout })).to.deep.equal([])
    }
  })
})
