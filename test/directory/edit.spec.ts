import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { decodeDirectory, isLeaf } from '../../src/codec/index.ts'
import { below, random } from '../seed.ts'
import { CountingStore } from '../stores.ts'
import { Directories, inlined, numbered, sorted } from './directories.ts'
import type { Entry } from '../../src/codec/index.ts'
import type { DirectoryRoot } from '../../src/directory/index.ts'

/** Edits a directory and its model alike, and holds the result against a bulk build of the model. */
async function editBoth (directories: Directories, root: DirectoryRoot, model: Map<string, Entry>, changes: ReadonlyMap<string, Entry | null>): Promise<DirectoryRoot> {
  for (const [name, entry] of changes) {
    if (entry === null) {
      model.delete(name)
    } else {
      model.set(name, entry)
    }
  }

  const edited = await directories.edit(root, changes)
  const { blocks, ...built } = await directories.build(sorted(model.values()))

  expect({ ...edited, blocks: undefined, cid: String(edited.cid) }).to.deep.equal({ ...built, blocks: undefined, cid: String(built.cid) })
  expect(edited.blocks.every(block => blocks.some(({ cid }) => cid.equals(block.cid))), 'every block of an edit is needed').to.equal(true)

  return edited
}

function modelOf (entries: readonly Entry[]): Map<string, Entry> {
  return new Map(entries.map(entry => [entry.name, entry]))
}

describe('directory/edit', () => {
  const directories = new Directories()

  it('gives the blocks of a bulk build after any sets and deletions', async () => {
    // names are short and few, so that they meet; contents reach from nothing to more than the least size of a run
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }).filter(text => !/[/\0]|^\.\.?$/.test(text))
    const content = fc.oneof({ weight: 3, arbitrary: fc.nat(40) }, fc.nat(2048), fc.nat(6000))
    const change = fc.tuple(name, fc.option(content, { freq: 2 }))

    await fc.assert(fc.asyncProperty(fc.array(fc.array(change, { maxLength: 200 }), { maxLength: 6 }), async batches => {
      const model = new Map<string, Entry>()
      let root: DirectoryRoot = await directories.build([])

      for (const batch of batches) {
        root = await editBoth(directories, root, model, new Map(batch.map(([key, bytes]) => [key, bytes === null ? null : inlined(key, bytes)])))
      }
    }), { numRuns: 40 })
  })

  it('gives one root for equal entries, whatever the order and batches', async () => {
    const entries = numbered(2_000, i => i % 13 === 0 ? 1_500 : i % 40)
    const { cid } = await directories.build(entries)

    await fc.assert(fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 700 }), async (keys, batchSize) => {
      const order = entries.map(entry => ({ entry, key: keys.next().value })).sort((a, b) => a.key - b.key)
      let root: DirectoryRoot = await directories.build([])

      for (let i = 0; i < order.length; i += batchSize) {
        root = await directories.edit(root, new Map(order.slice(i, i + batchSize).map(({ entry }) => [entry.name, entry])))
      }

      expect(String(root.cid)).to.equal(String(cid))
    }), { numRuns: 8 })
  })

  it('handles edits at every boundary: deletion, change, growth and insertion', async () => {
    const entries = numbered(1_500, () => 60)
    const root = await directories.build(entries)
    const leaves = root.blocks.map(decodeDirectory).filter(isLeaf).filter(node => node.entries.length > 0)
    expect(leaves).to.have.length.above(4)

    for (const { entries: run } of leaves) {
      for (const { name } of [run[0], run[run.length - 1]]) {
        const edits: Array<[string, Entry | null]> = [
          [name, null],
          [name, inlined(name, 60, 9)],
          [name, inlined(name, 5_000)],
          [`${name.slice(0, -1)}!`, inlined(`${name.slice(0, -1)}!`, 60)]
        ]

        for (const edit of edits) {
          await editBoth(directories, root, modelOf(entries), new Map([edit]))
        }
      }
    }
  })

  it('deletes a whole run, and the runs around it', async () => {
    const entries = numbered(1_500, () => 60)
    const root = await directories.build(entries)
    const leaves = root.blocks.map(decodeDirectory).filter(isLeaf)

    for (let i = 0; i + 1 < leaves.length; i++) {
      const gone = [...leaves[i].entries, leaves[i + 1].entries[0]]
      await editBoth(directories, root, modelOf(entries), new Map(gone.map(({ name }) => [name, null])))
    }
  })

  for (const size of [0, 1, 178, 179, 180, 3_000]) {
    it(`grows from ${size} entries to several levels and shrinks back`, async () => {
      const small = numbered(size)
      const large = numbered(20_000, i => i % 90)
      const root = await directories.build(small)
      const grown = await directories.edit(root, modelOf(large.slice(size)))
      const shrunk = await directories.edit(grown, new Map(large.slice(size).map(({ name }) => [name, null])))

      expect(String(shrunk.cid)).to.equal(String(root.cid))
    })
  }

  it('empties a directory of several levels', async () => {
    const entries = numbered(20_000)
    const { cid } = await directories.edit(await directories.build(entries), new Map(entries.map(({ name }) => [name, null])))

    expect(String(cid)).to.equal(String((await directories.build([])).cid))
  })

  it('makes no block if nothing changes', async () => {
    const entries = numbered(3_000)
    const root = await directories.build(entries)
    const edited = await directories.edit(root, new Map([[entries[1_000].name, entries[1_000]], ['not there', null]]))

    expect(edited.blocks).to.have.lengthOf(0)
    expect(String(edited.cid)).to.equal(String(root.cid))
  })

  it('gives the blocks of a bulk build at 100,000 entries', async () => {
    const next = random()
    const entries = numbered(100_000, i => i % 100 === 0 ? 2_000 : 10)
    const model = modelOf(entries)
    const changes = new Map<string, Entry | null>()

    for (let i = 0; i < 500; i++) {
      const { name } = entries[below(next, entries.length)]
      changes.set(name, below(next, 2) === 0 ? null : inlined(name, below(next, 3_000)))
      const inserted = `${name}${below(next, 10)}`
      changes.set(inserted, inlined(inserted, below(next, 100)))
    }

    await editBoth(directories, await directories.build(entries), model, changes)
  }).timeout(60_000)

  it('reads and writes a few blocks for one insert among 100,000 entries', async () => {
    const store = new CountingStore()
    const counted = new Directories(store)
    const root = await new Directories(store.inner).build(numbered(100_000))
    const { blocks } = await counted.edit(root, new Map([['file-00050000.tx', inlined('file-00050000.tx', 0)]]))

    expect(store.gets).to.be.at.most(5)
    expect(blocks).to.have.length.at.most(8)
    expect(blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)).to.be.at.most(512 * 1024)
  })
})
