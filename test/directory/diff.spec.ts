import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import { blockReader, blockWriter } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, encodeBranch, encodeBranches, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { diffDirectories } from '../../src/directory/index.ts'
import { below, random } from '../seed.ts'
import { CountingStore } from '../stores.ts'
import { Directories, inlined, numbered, sorted } from './directories.ts'
import type { Entry } from '../../src/codec/index.ts'

interface PlainChange {
  readonly name: string
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

/** What the changes are, told by looking at every entry. */
function modelDiff (before: readonly Entry[], after: readonly Entry[]): PlainChange[] {
  const [old, young] = [before, after].map(entries => new Map(entries.map(entry => [entry.name, entry])))
  const names = new Set([...old.keys(), ...young.keys()])
  const changes = [...names].map(name => ({ name, before: old.get(name), after: young.get(name) }))
    .filter(change => change.before === undefined || change.after === undefined || !sameFile(change.before, change.after))

  return sorted(changes.map(change => inlined(change.name, 0))).flatMap(({ name }) => changes.filter(change => change.name === name))
}

function sameFile (a: Entry, b: Entry): boolean {
  return a === b || String(encodeEntry(a)) === String(encodeEntry(b))
}

describe('directory/diff', () => {
  const directories = new Directories()

  it('finds the same as comparing all entries, in order', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }).filter(text => !/[/\0]|^\.\.?$/.test(text))
    const entries = fc.array(fc.tuple(name, fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.nat(6000))), { maxLength: 200 })
      .map(list => sorted(new Map(list.map(([key, bytes]) => [key, inlined(key, bytes)])).values()))

    await fc.assert(fc.asyncProperty(entries, entries, async (before, after) => {
      const [old, young] = [await directories.build(before), await directories.build(after)]

      expect(await all(diffDirectories(directories.reader, old, young))).to.deep.equal(modelDiff(before, after))
    }), { numRuns: 60 })
  })

  it('finds changes in directories of several levels with moved runs', async () => {
    const next = random()
    const before = numbered(20_000, i => i % 90)

    for (let round = 0; round < 5; round++) {
      const model = new Map(before.map(entry => [entry.name, entry]))

      for (let i = 0; i < 40; i++) {
        const { name } = before[below(next, before.length)]
        model.delete(name)
        model.set(`${name}${i}`, inlined(`${name}${i}`, below(next, 3_000)))
      }

      const after = sorted(model.values())
      const [old, young] = [await directories.build(before), await directories.build(after)]
      const found = await all(diffDirectories(directories.reader, old, young))

      expect(found).to.have.length.above(40)
      expect(found.map(({ name }) => name)).to.deep.equal(modelDiff(before, after).map(change => change.name))
    }
  }).timeout(60_000)

  for (const [title, size] of [['a leaf', 20], ['several levels', 5_000]] as const) {
    it(`treats undefined as an empty directory, against ${title}`, async () => {
      const entries = numbered(size)
      const { cid } = await directories.build(entries)

      expect((await all(diffDirectories(directories.reader, undefined, { cid }))).map(({ after }) => after)).to.deep.equal(entries)
      expect((await all(diffDirectories(directories.reader, { cid }, undefined))).map(({ before }) => before)).to.deep.equal(entries)
      expect(await all(diffDirectories(directories.reader, undefined, undefined))).to.deep.equal([])
    })
  }

  it('reads nothing if both directories are equal', async () => {
    const store = new CountingStore()
    const { cid } = await new Directories(store.inner).build(numbered(3_000))

    expect(await all(diffDirectories(blockReader(store), { cid }, { cid }))).to.deep.equal([])
    expect(store.gets).to.equal(0)
  })

  it('reads at most 100 blocks for 10 changes among 100,000 entries', async () => {
    const store = new CountingStore()
    const built = new Directories(store.inner)
    const entries = numbered(100_000, i => i % 100 === 0 ? 2_000 : 10)
    const old = await built.build(entries)
    // changed in size, deleted and inserted, spread over the whole
    const young = await built.edit(old, new Map(Array.from({ length: 10 }, (_, i): [string, Entry | null] => {
      const { name } = entries[i * 9_000 + 7]

      return i % 3 === 0 ? [name, null] : [i % 3 === 1 ? name : `${name}x`, inlined(i % 3 === 1 ? name : `${name}x`, 1_500)]
    })))

    expect(await all(diffDirectories(blockReader(store), old, young))).to.have.lengthOf(10)
    expect(store.gets).to.be.at.most(100)
  }).timeout(60_000)

  it('stops with the reason of its signal', async () => {
    const [old, young] = [await directories.build(numbered(5_000)), await directories.build(numbered(5_000, () => 1))]
    const controller = new AbortController()
    const changes = diffDirectories(directories.reader, old, young, { signal: controller.signal })
    await changes.next()
    controller.abort(new Error('enough'))

    await expect(all(changes)).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  })

  it('refuses a directory whose blocks overlap', async () => {
    const leaf = async (names: string[]): Promise<{ first: string, link: Awaited<ReturnType<typeof createBlock>>['cid'], count: number, size: number }> => {
      const block = await createBlock(dagCborCode, encodeLeaf(names.map(name => encodeEntry(inlined(name, 0)))))
      await blockWriter(directories.store).put(block)

      return { first: names[0], link: block.cid, count: names.length, size: 0 }
    }
    const hostile = await createBlock(dagCborCode, encodeBranches(1, [encodeBranch(await leaf(['a', 'z'])), encodeBranch(await leaf(['b', 'c']))]))
    await blockWriter(directories.store).put(hostile)

    await expect(all(diffDirectories(directories.reader, undefined, hostile))).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
  })
})
