import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { adapterApiOf } from '../../src/fs/index.ts'
import { dagfs } from '../../src/index.ts'
import type { AdapterApi } from '../../src/fs/index.ts'
import type { DagFs, ReadonlyDagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

describe('fs/adapter-api', () => {
  let blockstore: MemoryBlockstore
  let fs: DagFs
  let adapterApi: AdapterApi
  const large = new Uint8Array(3 * 2 ** 20).fill(7)

  beforeEach(async () => {
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
    adapterApi = await open(fs)
  })

  async function open (of: DagFs): Promise<AdapterApi> {
    const found = await adapterApiOf(of)

    if (found === undefined) {
      throw new Error('it has no API for adapters')
    }

    return found
  }

  async function paths (of: ReadonlyDagFs): Promise<string[]> {
    const found: string[] = []

    for await (const { path } of of.walk()) {
      found.push(path)
    }

    return found
  }

  async function cidOf (path: string): Promise<CID> {
    const { cid } = await fs.stat(path)

    if (cid === undefined) {
      throw new Error('it has no block')
    }

    return cid
  }

  it('is undefined for a foreign filesystem', async () => {
    expect(await adapterApiOf({ ...fs })).to.equal(undefined)
  })

  it('adds stored files as if they had been read', async () => {
    await fs.addAll([{ path: '/a', content: large, mode: 0o600 }, { path: '/small', content: 'small' }])
    const { root } = await fs.commit()
    const other = dagfs({ blockstore })
    const report = await (await open(other)).add([
      { path: '/a', stored: { content: await cidOf('/a'), size: large.byteLength }, mode: 0o600 },
      { path: '/small', stored: { content: new TextEncoder().encode('small'), size: 5 } }
    ], {})

    expect(report).to.deep.equal({ files: 2, directories: 0, symlinks: 0, bytes: large.byteLength + 5 })
    expect((await other.commit()).root.toString()).to.equal(root.toString())
  })

  it('removes files, links and directories, and reports absent ones', async () => {
    await fs.addAll([{ path: '/a/b', content: 'b' }, { path: '/c', content: 'c' }, { path: '/d', kind: 'symlink', target: 'c' }, { path: '/e', content: 'e' }])
    await fs.commit()
    const removed: string[] = []
    const events: string[] = []
    const controller = new AbortController()
    const watching = (async () => {
      for await (const { filename } of fs.watch('/', { signal: controller.signal })) {
        events.push(String(filename))
      }
    })().catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 1))
    await adapterApi.add(['/a', '/c', '/d', '/none'].map(path => ({ kind: 'absent', path })), { onRemoved: path => removed.push(path) })
    await new Promise(resolve => setTimeout(resolve, 1))
    controller.abort()
    await watching

    expect(await paths(fs)).to.deep.equal(['/e'])
    expect(removed).to.deep.equal(['/a', '/c', '/d', '/none'])
    expect(events).to.include.members(['a', 'c', 'd'])
  })

  it('removes nothing if it fails', async () => {
    await fs.addAll([{ path: '/a', content: 'a' }])

    await expect(adapterApi.add([{ kind: 'absent', path: '/a' }, { kind: 'absent', path: '/' }], {})).to.eventually.be.rejected.with.include({ code: 'EBUSY' })
    await expect(adapterApi.add([{ kind: 'absent', path: '/a/b' }], {})).to.eventually.be.rejected.with.include({ code: 'ENOTDIR' })
    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  describe('limits memory during add()', () => {
    const entries = Array.from({ length: 600 }, (_, i) => ({ path: `/${i % 3}/${i % 5}/${i}`, content: `${i}`.repeat(30) }))
    const asWalked = entries.toSorted((a, b) => a.path < b.path ? -1 : 1)

    async function rootOf (store: MemoryBlockstore): Promise<string> {
      const one = dagfs({ blockstore: store })
      await one.addAll(entries)

      return (await one.commit()).root.toString()
    }

    async function cids (store: MemoryBlockstore): Promise<string[]> {
      return (await all(store.getAll())).map(({ cid }) => cid.toString()).sort()
    }

    it('and stores each directory once if they come in order', async () => {
      const whole = new MemoryBlockstore()
      const root = await rootOf(whole)
      await adapterApi.add(asWalked, { maxFinishedBytes: 50_000 })
      const early = await cids(blockstore)

      expect((await fs.commit()).root.toString()).to.equal(root)
      expect(early.length).to.be.within(10, 15)
      expect(await cids(blockstore)).to.deep.equal(await cids(whole))
    })

    it('in any order of entries', async () => {
      const root = await rootOf(new MemoryBlockstore())

      await fc.assert(fc.asyncProperty(fc.shuffledSubarray(entries, { minLength: entries.length }), fc.nat(100_000), async (shuffled, maxFinishedBytes) => {
        const one = dagfs({ blockstore: new MemoryBlockstore() })
        await (await open(one)).add(shuffled, { maxFinishedBytes })

        expect((await one.commit()).root.toString()).to.equal(root)
      }), { numRuns: 20 })
    })

    it('and undoes stored directories if it fails', async () => {
      await fs.addAll([{ path: '/0/before', content: 'before' }])

      await expect(adapterApi.add([...asWalked, { path: '/..', content: '' }], { maxFinishedBytes: 0 })).to.eventually.be.rejected.with.include({ code: 'EINVAL' })
      expect(await paths(fs)).to.deep.equal(['/0', '/0/before'])
    })
  })

  it('stores checkpoints with everything reported, and undoes them if it fails', async () => {
    const told: string[] = []
    const reached: string[][] = []
    const checkpoints = {
      isDue: () => told.length % 2 === 0,
      reached: async (root: CID, isLast: boolean) => {
        expect(await paths(dagfs({ blockstore }, { root }))).to.deep.equal(told)
        reached.push(isLast ? [...told, 'last'] : [...told])
      }
    }
    const onProgress = ({ detail }: { detail: { path: string } }): void => { told.push(detail.path) }
    await adapterApi.add(['/a', '/b', '/c'].map(path => ({ path, content: path })), { checkpoints, onProgress })

    expect(reached).to.deep.equal([['/a', '/b'], ['/a', '/b', '/c', 'last']])
    expect((await fs.stat('/')).cid).to.not.equal(undefined)

    await expect(adapterApi.add([{ path: '/d', content: '' }, { path: '/e', content: '' }, { path: '/', content: '' }], { checkpoints, onProgress })).to.eventually.be.rejected.with.include({ code: 'EISDIR' })
    expect(await paths(fs)).to.deep.equal(['/a', '/b', '/c'])
  })

  it('checks whether all blocks of a file are stored', async () => {
    await fs.addAll([{ path: '/large', content: Uint8Array.from(large, (_, i) => i >> 16) }, { path: '/raw', content: large.subarray(0, 5_000) }])
    await fs.commit()
    const [cid, raw] = [await cidOf('/large'), await cidOf('/raw')]

    expect(await adapterApi.adopt(cid)).to.equal(true)
    expect(await adapterApi.adopt(raw)).to.equal(true)

    const leaves: CID[] = []

    for await (const block of blockstore.getAll()) {
      if (block.cid.code !== cid.code && !block.cid.equals(raw)) {
        leaves.push(block.cid)
      }
    }

    await blockstore.delete(leaves[1])
    expect(await adapterApi.adopt(cid)).to.equal(false)
    await blockstore.delete(cid)
    expect(await adapterApi.adopt(cid)).to.equal(false)
    await blockstore.delete(raw)
    expect(await adapterApi.adopt(raw)).to.equal(false)
  })

  it('protects adopted content from garbage collection', async () => {
    await fs.addAll([{ path: '/large', content: Uint8Array.from(large, (_, i) => i >> 16) }])
    await fs.commit()
    const cid = await cidOf('/large')
    await fs.rm('/large')
    await adapterApi.adopt(cid)
    await fs.gc()
    await adapterApi.add([{ path: '/again', stored: { content: cid, size: large.byteLength } }], {})
    await fs.commit()

    expect((await fs.readFile('/again')).byteLength).to.equal(large.byteLength)
  })

  it('lists a partial tree without failing, and does not block garbage collection', async () => {
    await fs.addAll([{ path: '/a/b/c', content: 'c' }, { path: '/d/e', content: 'e' }])
    const { root } = await fs.commit()
    const gone = (await fs.stat('/a')).cid
    await fs.rm('/a', { recursive: true })
    await fs.commit()
    const { list, read } = adapterApi.partialTree(root)

    expect((await list('/'))?.map(({ name }) => name)).to.deep.equal(['a', 'd'])
    expect(gone).to.not.equal(undefined)
    await blockstore.delete(gone as CID)
    expect(await list('/a/b')).to.equal(undefined)
    expect(await list('/nowhere')).to.equal(undefined)
    expect((await list('/d'))?.map(({ name }) => name)).to.deep.equal(['e'])
    expect(await read('/d/e')).to.deep.equal(new TextEncoder().encode('e'))
    expect(await read('/a/b/c')).to.equal(undefined)
    await fs.gc()
  })

  it('passes on store errors while it reads a partial tree', async () => {
    await fs.addAll([{ path: '/a/b', content: 'b' }])
    const { root } = await fs.commit()
    const { list } = adapterApi.partialTree(root)
    const { get } = blockstore
    blockstore.get = () => { throw new Error('the disk is on fire') }

    try {
      await expect(list('/a')).to.eventually.be.rejectedWith('the disk is on fire')
    } finally {
      blockstore.get = get
    }
  })

  it('creates a scratch filesystem that puts nothing', async () => {
    await fs.addAll([{ path: '/a/b', content: 'b' }, { path: '/c', content: 'c' }])
    const { root } = await fs.commit()
    const before = await blocks()
    const scratch = await adapterApi.scratch()
    await scratch.addAll([{ path: '/a/large', content: large }, { path: '/d', content: 'd' }])
    await scratch.rm('/c')
    const changes: string[] = []

    for await (const { kind, path } of scratch.diff(root)) {
      changes.push(`${kind} ${path}`)
    }

    expect(changes).to.deep.equal(['added /a/large', 'removed /c', 'added /d'])
    expect(await blocks()).to.equal(before)
    expect(await paths(fs)).to.deep.equal(['/a', '/a/b', '/c'])
  })

  async function blocks (): Promise<number> {
    return (await all(blockstore.getAll())).length
  }
})
