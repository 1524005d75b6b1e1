import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { blockReader } from '../../src/blockstore/index.ts'
import { freeName } from '../../src/compare/free-name.ts'
import { mergeTrees } from '../../src/compare/index.ts'
import { listEntries } from '../../src/directory/index.ts'
import { compareNames } from '../../src/path.ts'
import { CountingStore } from '../stores.ts'
import { ModelMerge } from './merge-model.ts'
import { Trees, anyFork, anyTree, plain } from './trees.ts'
import type { PlainDirectory, PlainNode } from './trees.ts'
import type { TreeConflict, TreeResolution } from '../../src/compare/index.ts'
import '../seed.ts'

interface Merged {
  readonly root: string
  readonly conflicts: Array<[path: string, kind: string]>
}

describe('compare/merge', () => {
  const trees = new Trees()

  async function merge (base: CID | undefined, ours: CID, theirs: CID, resolve: (conflict: TreeConflict) => TreeResolution = () => 'ours'): Promise<Merged> {
    const conflicts: Merged['conflicts'] = []
    const edit = await mergeTrees(trees.reader, { base, ours, theirs }, async conflict => {
      conflicts.push([conflict.path, conflict.kind])

      return resolve(conflict)
    })

    return { root: String(await trees.apply(edit)), conflicts: conflicts.sort(byPath) }
  }

  async function mergePlain (base: PlainDirectory, ours: PlainDirectory, theirs: PlainDirectory, resolve?: (conflict: TreeConflict) => TreeResolution): Promise<Merged> {
    return merge(await trees.build(base), await trees.build(ours), await trees.build(theirs), resolve)
  }

  const rootOf = async (tree: PlainDirectory): Promise<string> => String(await trees.build(tree))

  const anyThree = fc.oneof({ weight: 4, arbitrary: anyFork }, fc.record({ base: anyTree, ours: anyTree, theirs: anyTree }))

  it('equals a full three-way comparison, with canonical blocks and all conflicts', async () => {
    await fc.assert(fc.asyncProperty(anyThree, async ({ base, ours, theirs }) => {
      const model = new ModelMerge(base, ours, theirs)

      expect(await mergePlain(base, ours, theirs)).to.deep.equal({ root: await rootOf(model.tree), conflicts: model.conflicts.sort(byPath) })
    }), { numRuns: 500 })
  }).timeout(60_000)

  it('gives one tree in either direction without conflicts or with both kept', async () => {
    await fc.assert(fc.asyncProperty(anyThree, async ({ base, ours, theirs }) => {
      // attributes of a directory are all that cannot be kept twice
      const resolve = ({ ours: our, theirs: their }: TreeConflict): TreeResolution => our?.kind === 'directory' && their?.kind === 'directory' ? smaller(our, their) : 'both'
      const smaller = (a: object, b: object): 'ours' | 'theirs' => JSON.stringify(a) < JSON.stringify(b) ? 'ours' : 'theirs'
      const [one, other] = [await mergePlain(base, ours, theirs, resolve), await mergePlain(base, theirs, ours, resolve)]

      expect(one).to.deep.equal(other)
    }), { numRuns: 300 })
  }).timeout(60_000)

  it('returns an unchanged tree merged with itself, its base or nothing new', async () => {
    await fc.assert(fc.asyncProperty(anyTree, anyTree, async (a, b) => {
      const [base, tree] = [await trees.build(a), await trees.build(b)]

      expect(await merge(base, tree, tree)).to.deep.equal({ root: String(tree), conflicts: [] })
      expect(await merge(base, tree, base), 'nothing new').to.deep.equal({ root: String(tree), conflicts: [] })
      expect(await merge(base, base, tree), 'fast-forward').to.deep.equal({ root: String(tree), conflicts: [] })
      expect(await merge(undefined, tree, tree), 'no base').to.deep.equal({ root: String(tree), conflicts: [] })
    }))
  })

  async function names (root: string): Promise<string[]> {
    return (await all(listEntries(trees.reader, { cid: CID.parse(root) }))).map(({ name }) => name)
  }

  it('renames both sides with \'both\', and keeps the extension', async () => {
    const tree = (text: string): PlainDirectory => plain({ 'notes.txt': text, '.hidden': text, 'v1.directory-of-ours': text })
    const { root } = await mergePlain(tree('x'), tree('ours'), tree('theirs'), () => 'both')

    expect((await names(root)).map(name => name.replace(/~[a-z2-7]{8}/, '~'))).to.deep.equal(['.hidden~', '.hidden~', 'notes~.txt', 'notes~.txt', 'v1.directory-of-ours~', 'v1.directory-of-ours~'])
    expect(new Set(await names(root)).size).to.equal(6)
  })

  it('lengthens the hash and then adds a number if a name is taken', async () => {
    const free = await freeName(await trees.file('a', 'ours'), async () => false)
    const base = plain({ [free]: 'x' })
    const { root } = await mergePlain(base, { entries: new Map([...base.entries, ['a', { text: 'ours' }]]) }, plain({ a: 'theirs' }), () => 'both')
    expect((await names(root)).filter(name => name.startsWith(free))).to.have.lengthOf(1)
    expect(await names(root)).to.not.include(free)

    expect(await freeName(await trees.file('a', 'x'), async name => !name.endsWith('-9'))).to.match(/^a~[a-z2-7]{52}-9$/)
  })

  it('truncates a long name between characters', async () => {
    const name = await freeName(await trees.file(`${'\u{1f600}'.repeat(62)}.txt`, 'x'), async () => false)

    expect(name).to.match(/^(\u{1f600}){60}~[a-z2-7]{8}\.txt$/u)
  })

  const file = (text: string, attributes: PlainNode['attributes']): PlainDirectory => ({ entries: new Map([['a', { text, attributes }]]) })

  it('merges changes to different attributes, with the later time', async () => {
    expect(await mergePlain(file('x', { mode: 0o644, mtime: [1, 0] }), file('x', { mode: 0o600, mtime: [3, 0] }), file('y', { mode: 0o644, mtime: [2, 0], meta: { by: 'them' } })))
      .to.deep.equal({ root: await rootOf(file('y', { mode: 0o600, mtime: [3, 0], meta: { by: 'them' } })), conflicts: [] })
  })

  it('takes the time of the content that is in conflict', async () => {
    const [ours, theirs] = [file('ours', { mtime: [2, 0] }), file('theirs', { mtime: [3, 0] })]

    expect((await mergePlain(file('x', { mtime: [1, 0] }), ours, theirs, () => 'ours')).root).to.equal(await rootOf(ours))
    expect((await mergePlain(file('x', { mtime: [1, 0] }), ours, theirs, () => 'theirs')).root).to.equal(await rootOf(theirs))
  })

  it('lists entries that both sides changed differently', async () => {
    const seen: TreeConflict[] = []
    await mergePlain(file('x', { mode: 0o644 }), file('x', { mode: 0o600 }), file('x', { mode: 0o755 }), conflict => {
      seen.push(conflict)
      return 'ours'
    })

    expect(seen).to.have.lengthOf(1)
    expect(seen[0]).to.deep.include({ path: '/a', kind: 'both-changed', fields: ['mode'] })
    expect(seen[0].base).to.deep.include({ name: 'a', attributes: { mode: 0o644 } })
  })

  const resolved = { name: 'ignored', kind: 'file', content: new TextEncoder().encode('given'), size: 5 } as const
  const table: Array<[title: string, trees: [base: PlainDirectory, ours: PlainDirectory, theirs: PlainDirectory], resolution: TreeResolution, expected: PlainDirectory]> = [
    ['takes the entry that is given', [plain({ a: 'x' }), plain({ a: 'y' }), plain({ a: 'z' })], resolved, plain({ a: 'given' })],
    ['takes none where null is given', [plain({ a: 'x' }), plain({ a: 'y' }), plain({ a: 'z' })], null, plain({})],
    ['takes the entry that is given where one side removed it', [plain({ a: 'x' }), plain({ a: 'y' }), plain({})], resolved, plain({ a: 'given' })],
    ['takes their removal', [plain({ a: 'x' }), plain({ a: 'y' }), plain({})], 'theirs', plain({})],
    ['takes our removal', [plain({ a: 'x' }), plain({}), plain({ a: 'y' })], 'ours', plain({})],
    ['keeps what was changed, not the removal, where both are kept', [plain({ a: 'x' }), plain({}), plain({ a: 'y' })], 'both', plain({ a: 'y' })],
    ['takes their directory for our file', [plain({}), plain({ a: 'x' }), plain({ a: { b: 'y' } })], 'theirs', plain({ a: { b: 'y' } })],
    ['keeps what they changed of a directory that we removed, and what they added', [plain({ d: { a: 'x', b: 'y', c: { e: 'z' } } }), plain({}), plain({ d: { a: 'changed', b: 'y', c: { e: 'z', f: 'added' } } })], 'theirs',
      plain({ d: { a: 'changed', c: { f: 'added' } } })],
    ['takes what they added to a directory that we removed, even where our side is taken', [plain({ d: { a: 'x' } }), plain({}), plain({ d: { a: 'changed', b: 'added' } })], 'ours', plain({ d: { b: 'added' } })],
    ['removes a directory that we emptied and they removed', [plain({ d: { a: 'x' } }), plain({ d: {} }), plain({})], 'both', plain({})]
  ]

  for (const [title, [base, ours, theirs], resolution, expected] of table) {
    it(title, async () => {
      expect((await mergePlain(base, ours, theirs, () => resolution)).root).to.equal(await rootOf(expected))
    })
  }

  it('reports only the changes in a removed directory as conflicts', async () => {
    const { conflicts } = await mergePlain(plain({ d: { a: 'x', b: 'y' } }), plain({}), plain({ d: { a: 'changed', b: 'y', c: 'added' } }))

    expect(conflicts).to.deep.equal([['/d/a', 'changed-removed']])
  })

  it('takes one side\'s change by its CID, and reads the block with its size', async () => {
    const store = new CountingStore()
    const built = new Trees(store.inner)
    const many = (seed: string): PlainDirectory => plain(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`f${i}`, `${seed} ${i}`])))
    const tree = (a: string, b: string): PlainDirectory => ({ entries: new Map([['a', many(a)], ['b', many(b)]]) })
    const [base, ours, theirs] = [await built.build(tree('x', 'x')), await built.build(tree('y', 'x')), await built.build(tree('x', 'y'))]
    const edit = await mergeTrees(blockReader(store), { base, ours, theirs }, async () => 'ours')

    expect(String(await built.apply(edit))).to.equal(String(await built.build(tree('y', 'y'))))
    expect(store.gets).to.equal(4)
  })

  it('refuses to descend below 1,024 directories', async () => {
    let [ours, theirs] = [await trees.build(plain({ end: 'x' })), await trees.build(plain({ end: 'y' }))]

    for (let depth = 0; depth < 1_030; depth++) {
      [ours, theirs] = await Promise.all([ours, theirs].map(async content => trees.apply({ base: undefined, changes: new Map([['d', { name: 'd', kind: 'directory', content, size: 1 }]]) })))
    }

    await expect(merge(undefined, ours, theirs)).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  }).timeout(20_000)
})

function byPath ([a, b]: readonly [string, string], [c, d]: readonly [string, string]): number {
  return compareNames(a, c) || compareNames(b, d)
}
