import { expect } from 'aegir/chai'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { blockReader } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, encodeBranch, encodeBranches } from '../../src/codec/index.ts'
import { findEntry, listEntries } from '../../src/directory/index.ts'
import { CountingStore } from '../stores.ts'
import { Directories, numbered } from './directories.ts'
import type { Branch, FileEntry } from '../../src/codec/index.ts'
import type { DirectoryRoot } from '../../src/directory/index.ts'

const entries = numbered(3_000, i => i % 150)
const raw = CID.parse('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')

describe('directory/list', () => {
  let store: CountingStore
  let root: DirectoryRoot

  beforeEach(async () => {
    store = new CountingStore()
    root = await new Directories(store.inner).build(entries)
  })

  async function names (range: { after?: string, limit?: number }): Promise<string[]> {
    return (await all(listEntries(blockReader(store), root, range))).map(({ name }) => name)
  }

  const expected = entries.map(({ name }) => name)

  it('lists all entries with their metadata, in order', async () => {
    expect(await all(listEntries(blockReader(store), root))).to.deep.equal(entries)
  })

  it('fetches 3,000 files in at most 12 blocks (median) and two round trips', async () => {
    const gets: number[] = []

    for (let set = 0; set < 15; set++) {
      const files = entries.map(({ name }, i): FileEntry => ({ name: `${set}-${name}`, kind: 'file', content: raw, size: 10_000 + i, attributes: { mode: 0o644, mtime: [1_700_000_000 + i, 123_456_789] } }))
      root = await new Directories(store.inner).build(files)
      store.reset()

      expect(await all(listEntries(blockReader(store), root))).to.deep.equal(files)
      expect(store.roundTrips).to.equal(2)
      gets.push(store.gets)
    }

    expect(gets.sort((a, b) => a - b)[7], `blocks: ${gets.join(', ')}`).to.be.at.most(12)
  })

  for (const i of [0, 1, 799, 1_500, 2_998, 2_999]) {
    it(`continues after entry ${i}`, async () => {
      expect(await names({ after: expected[i] })).to.deep.equal(expected.slice(i + 1))
    })
  }

  it('continues after an absent name', async () => {
    expect(await names({ after: `${expected[10]}x` })).to.deep.equal(expected.slice(11))
  })

  it('begins with the first entry for a name before all', async () => {
    expect(await names({ after: '!', limit: 2 })).to.deep.equal(expected.slice(0, 2))
  })

  it('lists nothing after the last entry', async () => {
    expect(await names({ after: 'z' })).to.deep.equal([])
  })

  it('stops at the limit and fetches no further block', async () => {
    expect(await names({ limit: 10 })).to.deep.equal(expected.slice(0, 10))
    expect(store.gets).to.equal(2)
  })

  it('walks a directory page by page', async () => {
    const listed: string[] = []

    for (let page = await names({ limit: 700 }); page.length > 0; page = await names({ after: listed[listed.length - 1], limit: 700 })) {
      listed.push(...page)
    }

    expect(listed).to.deep.equal(expected)
  })

  it('lists an empty directory', async () => {
    const empty = await new Directories(store.inner).build([])

    expect(await all(listEntries(blockReader(store), empty))).to.deep.equal([])
  })

  it('finds every entry', async () => {
    for (const entry of entries.slice(0, 3_000).filter((_, i) => i % 97 === 0)) {
      expect(await findEntry(blockReader(store), root, entry.name)).to.deep.equal(entry)
    }
  })

  it('finds nothing before, between and after the entries', async () => {
    for (const name of ['!', `${expected[5]}x`, 'z']) {
      expect(await findEntry(blockReader(store), root, name)).to.equal(undefined)
    }
  })

  it('leaves no request pending when the consumer stops', async () => {
    const listing = listEntries(blockReader(store), root)
    expect((await listing.next()).value).to.deep.equal(entries[0])
    await listing.return(undefined)

    const { gets } = store
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(store.gets).to.equal(gets)
  })

  describe('a branch node with false claims', () => {
    const lies: Array<[what: string, lie: (branch: Branch) => Branch, level: number]> = [
      ['about the first name', branch => ({ ...branch, first: 'file-0000000' }), 1],
      ['about the number of entries', branch => ({ ...branch, count: branch.count + 1 }), 1],
      ['about the size', branch => ({ ...branch, size: branch.size - 1 }), 1],
      ['about the level', branch => branch, 2]
    ]

    lies.forEach(([what, lie, level]) => {
      it(`${what} is refused, naming the child`, async () => {
        const other = await new Directories(store.inner).build(numbered(1).map(entry => ({ ...entry, name: 'z' })))
        const child = await new Directories(store.inner).build(entries.slice(0, 10))
        const honest = { first: expected[0], link: child.cid, count: 10, size: child.size }
        const lying = lie(honest)
        const last = { first: 'z', link: other.cid, count: 1, size: 0 }
        const block = await createBlock(dagCborCode, encodeBranches(level, [encodeBranch(lying), encodeBranch(last)]))
        await store.put(block.cid, block.bytes)

        await expect(all(listEntries(blockReader(store), block))).to.eventually.be.rejected
          .with.property('name', 'InvalidNodeError')
        await expect(findEntry(blockReader(store), block, expected[0])).to.eventually.be.rejected
          .with.property('cid').that.satisfies(child.cid.equals.bind(child.cid))
      })
    })

    it('is refused as a root with one branch', async () => {
      const branch = encodeBranch({ first: expected[0], link: root.cid, count: 3_000, size: root.size })
      const block = await createBlock(dagCborCode, encodeBranches(2, [branch]))
      await store.put(block.cid, block.bytes)

      await expect(findEntry(blockReader(store), block, 'a')).to.eventually.be.rejected.with.include({ name: 'InvalidNodeError', cid: block.cid })
    })
  })
})
