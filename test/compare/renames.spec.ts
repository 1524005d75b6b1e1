import { expect } from 'aegir/chai'
import all from 'it-all'
import { blockReader } from '../../src/blockstore/index.ts'
import { diffTreesWithRenames } from '../../src/compare/index.ts'
import { CountingStore } from '../stores.ts'
import { Trees, plain } from './trees.ts'
import type { PlainDirectory } from './trees.ts'

type Told = [kind: string, path: string, from?: string]

describe('tree/renames', () => {
  const trees = new Trees()
  const diff = async (before: PlainDirectory, after: PlainDirectory, renameBytes?: number): Promise<Told[]> => {
    const changes = await all(diffTreesWithRenames(trees.reader, await trees.build(before), await trees.build(after), { renameBytes }))

    return changes.map(change => change.kind === 'renamed' ? [change.kind, change.path, change.from] : [change.kind, change.path])
  }
  const long = 'long '.repeat(1_000)

  const table: Array<[title: string, before: PlainDirectory, after: PlainDirectory, expected: Told[]]> = [
    ['a file', plain({ a: 'x', b: 'y' }), plain({ b: 'y', c: 'x' }), [['renamed', '/c', '/a']]],
    ['a file that has a block', plain({ a: long }), plain({ d: { c: long } }), [['added', '/d'], ['renamed', '/d/c', '/a']]],
    ['a link', plain({ a: '->x' }), plain({ b: '->x' }), [['renamed', '/b', '/a']]],
    ['no file for a link of the same text', plain({ a: 'x' }), plain({ b: '->x' }), [['removed', '/a'], ['added', '/b']]],
    ['no file that is still there', plain({ a: 'x' }), plain({ a: 'x', b: 'x' }), [['added', '/b']]],
    ['each file once', plain({ a: 'x' }), plain({ b: 'x', c: 'x' }), [['renamed', '/b', '/a'], ['added', '/c']]],
    ['a directory as a whole', plain({ a: { b: { c: 'x' }, d: 'y' } }), plain({ z: { b: { c: 'x' }, d: 'y' } }), [['renamed', '/z', '/a']]],
    ['a directory moved out of a removed one', plain({ a: { b: { c: 'x' }, d: 'y' } }), plain({ b: { c: 'x' } }), [['removed', '/a'], ['removed', '/a/d'], ['renamed', '/b', '/a/b']]],
    ['files of a directory that changed as well', plain({ a: { b: 'x', c: 'y' } }), plain({ z: { b: 'x', c: 'z' } }), [['removed', '/a'], ['removed', '/a/c'], ['added', '/z'], ['renamed', '/z/b', '/a/b'], ['added', '/z/c']]],
    ['files of equal names before others', plain({ a: { one: 'x' }, b: { two: 'x' } }), plain({ c: { two: 'x', one: 'x' } }),
      [['removed', '/a'], ['removed', '/b'], ['added', '/c'], ['renamed', '/c/one', '/a/one'], ['renamed', '/c/two', '/b/two']]],
    ['the larger of two directories of which one is in the other', plain({ a: { b: { c: 'x' } }, z: { c: 'x' } }), plain({ k: { b: { c: 'x' } } }), [['renamed', '/k', '/a'], ['removed', '/z'], ['removed', '/z/c']]],
    ['a file moved into a directory that replaced a file', plain({ a: 'x', b: 'y' }), plain({ a: { c: 'y' } }), [['changed', '/a'], ['renamed', '/a/c', '/b']]]
  ]

  for (const [title, before, after, expected] of table) {
    it(`detects ${title}`, async () => {
      expect((await diff(before, after)).sort(byPath)).to.deep.equal(expected.sort(byPath))
    })
  }

  it('reports changed attributes with their old values', async () => {
    const [before, after] = [
      { entries: new Map([['a', { text: 'x', attributes: { mode: 0o644, mtime: [1, 0] as const } }]]) },
      { entries: new Map([['b', { text: 'x', attributes: { mode: 0o600, mtime: [1, 0] as const } }]]) }
    ]
    const [change] = await all(diffTreesWithRenames(trees.reader, await trees.build(before), await trees.build(after)))

    expect(change).to.deep.include({
      fields: ['mode'],
      before: { ...await trees.file('a', 'x'), attributes: { mode: 0o644, mtime: [1, 0] } },
      after: { ...await trees.file('b', 'x'), attributes: { mode: 0o600, mtime: [1, 0] } }
    })
  })

  it('detects none beyond its memory limit', async () => {
    expect(await diff(plain({ a: 'x' }), plain({ b: 'x' }), 500)).to.deep.equal([['removed', '/a'], ['added', '/b']])
  })

  it('does not read the entries of a renamed directory', async () => {
    const store = new CountingStore()
    const built = new Trees(store.inner)
    const directory = (i: number): PlainDirectory => plain(Object.fromEntries(Array.from({ length: 50 }, (_, j) => [`f${j}`, `${i} ${j}`])))
    const content = { entries: new Map(Array.from({ length: 100 }, (_, i) => [`d${i}`, directory(i)])) }
    const [before, after] = [await built.build({ entries: new Map([['old', content]]) }), await built.build({ entries: new Map([['young', content]]) })]

    expect(await all(diffTreesWithRenames(blockReader(store), before, after))).to.have.lengthOf(1)
    expect(store.gets).to.be.at.most(6)
  })
})

function byPath ([, a]: Told, [, b]: Told): number {
  return a < b ? -1 : 1
}
