import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { blockReader } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, encodeBranch, encodeBranches, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { diffDirectories, listEntries } from '../../src/directory/index.ts'
import { dagfs } from '../../src/index.ts'
import { inlined, numbered } from './directories.ts'
import type { Block, Branch } from '../../src/codec/index.ts'
import type { CID } from 'multiformats/cid'

/** Runs that are each in order, below branches that are in order, and whose names are not in order together. */
describe('directory/disorder', () => {
  const store = new MemoryBlockstore()

  async function put (block: Block): Promise<CID> {
    await store.put(block.cid, block.bytes)

    return block.cid
  }

  async function leafOf (names: readonly string[]): Promise<Branch> {
    const link = await put(await createBlock(dagCborCode, encodeLeaf(names.map(name => encodeEntry(inlined(name, 1))))))

    return { first: names[0], link, count: names.length, size: names.length }
  }

  async function nodeOf (level: number, branches: readonly Branch[]): Promise<Branch> {
    const link = await put(await createBlock(dagCborCode, encodeBranches(level, branches.map(encodeBranch))))
    const count = branches.reduce((sum, branch) => sum + branch.count, 0)

    return { first: branches[0].first, link, count, size: count }
  }

  const neighbours = async (runs: readonly string[][]): Promise<CID> => (await nodeOf(1, await Promise.all(runs.map(leafOf)))).link
  const cousins = async (runs: readonly string[][]): Promise<CID> => (await nodeOf(2, await Promise.all(runs.map(async names => nodeOf(1, [await leafOf(names)]))))).link
  const many = numbered(5_000).map(({ name }) => name)

  for (const [where, directoryOf] of [['below one node', neighbours], ['below two nodes', cousins]] as const) {
    for (const [what, last] of [['reaches beyond the next run', 'z'], ['has the first name of the next run', many[0]]]) {
      it(`refuses to list names where a run ${what}, ${where}`, async () => {
        await expect(all(listEntries(blockReader(store), { cid: await directoryOf([['a', last], many]) }))).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      })

      it(`refuses to compare directories where a run ${what}, ${where}`, async () => {
        await expect(all(diffDirectories(blockReader(store), undefined, { cid: await directoryOf([['a', last], many]) }))).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      })

      it(`commits no edit of a directory where a run ${what}, ${where}`, async () => {
        const fs = dagfs({ blockstore: store }, { root: await directoryOf([['a', last], many]) })
        await fs.writeFile('/b', 'x')

        await expect(fs.commit()).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
      })
    }

    it(`lists and edits a directory with adjacent runs, ${where}`, async () => {
      const root = await directoryOf([['a', 'entry'], many])
      const fs = dagfs({ blockstore: store }, { root })
      await fs.writeFile('/b', 'x')
      await fs.commit()

      expect(await fs.readdir('/')).to.deep.equal(['a', 'b', 'entry', ...many])
    })
  }
})
