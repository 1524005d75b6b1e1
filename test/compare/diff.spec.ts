import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import { blockReader } from '../../src/blockstore/index.ts'
import { diffTrees } from '../../src/compare/index.ts'
import { fixedSize } from '../../src/index.ts'
import { compareNames } from '../../src/path.ts'
import { CountingStore } from '../stores.ts'
import { Trees, anyFork, anyTree, isDirectory, plain } from './trees.ts'
import type { PlainDirectory, PlainNode } from './trees.ts'
import type { TreeChange } from '../../src/compare/index.ts'
import '../seed.ts'

const attributeFields = ['mode', 'mtime', 'meta'] as const

function kindOf (node: PlainNode): string {
  if (isDirectory(node)) {
    return 'directory'
  }

  return node.text.startsWith('->') ? 'symlink' : 'file'
}

/** What the changes are, told by looking at everything. */
function * modelDiff (before: PlainDirectory | undefined, after: PlainDirectory | undefined, path: string): Generator<{ kind: string, path: string, fields?: string[] }> {
  const names = new Set([...before?.entries.keys() ?? [], ...after?.entries.keys() ?? []])

  for (const name of [...names].sort(compareNames)) {
    const [old, young] = [before?.entries.get(name), after?.entries.get(name)]
    const here = `${path}/${name}`

    if (old !== undefined && young !== undefined) {
      const fields = fieldsOf(old, young)
      yield * fields.length === 0 ? [] : [{ kind: 'changed', path: here, fields }]
    } else {
      yield { kind: old === undefined ? 'added' : 'removed', path: here }
    }

    yield * modelDiff(isDirectory(old) ? old : undefined, isDirectory(young) ? young : undefined, here)
  }
}

function fieldsOf (old: PlainNode, young: PlainNode): string[] {
  const isContentSame = kindOf(old) === kindOf(young) && (isDirectory(old) || isDirectory(young) || old.text === young.text)

  return [
    ...(kindOf(old) === kindOf(young) ? [] : ['kind']),
    ...(isContentSame ? [] : ['content']),
    ...attributeFields.filter(field => JSON.stringify(old.attributes?.[field]) !== JSON.stringify(young.attributes?.[field]))
  ]
}

function told (change: TreeChange): { kind: string, path: string, fields?: readonly string[] } {
  const { kind, path } = change

  return change.kind === 'changed' ? { kind, path, fields: change.fields } : { kind, path }
}

describe('compare/diff', () => {
  const trees = new Trees()
  const diff = async (before: PlainDirectory, after: PlainDirectory, isEntered?: (path: string) => boolean): Promise<TreeChange[]> =>
    all(diffTrees(trees.reader, await trees.build(before), await trees.build(after), isEntered === undefined ? {} : { isEntered }))

  it('finds the same as a full comparison, in path order', async () => {
    const pair = fc.oneof(fc.tuple(anyTree, anyTree), anyFork.map(({ base, ours }) => [base, ours] as const))

    await fc.assert(fc.asyncProperty(pair, async ([before, after]) => {
      expect((await diff(before, after)).map(told)).to.deep.equal([...modelDiff(before, after, '')])
    }))
  })

  it('returns the entries before and after', async () => {
    const [removed, changed, added] = await diff(plain({ b: 'x', a: 'gone' }), plain({ b: 'y', c: '->a' }))

    expect(removed).to.deep.include({ kind: 'removed', path: '/a', before: await trees.file('a', 'gone') })
    expect(changed).to.deep.include({ kind: 'changed', path: '/b', fields: ['content'], before: await trees.file('b', 'x'), after: await trees.file('b', 'y') })
    expect(added).to.deep.include({ kind: 'added', path: '/c', after: await trees.file('c', '->a') })
  })

  it('lists what is below an added or removed directory unless told not to', async () => {
    const [before, after] = [plain({ old: { deep: { file: 'x' } } }), plain({ young: { file: 'x' } })]

    expect((await diff(before, after)).map(({ path }) => path)).to.deep.equal(['/old', '/old/deep', '/old/deep/file', '/young', '/young/file'])
    expect((await diff(before, after, () => false)).map(({ path }) => path)).to.deep.equal(['/old', '/young'])
    expect((await diff(before, after, path => path !== '/old/deep')).map(({ path }) => path)).to.deep.equal(['/old', '/old/deep', '/young', '/young/file'])
  })

  it('compares content of files, not their stored form', async () => {
    const blocksOnly = new Trees(trees.store, { chunker: fixedSize(2 ** 20), width: 1024, inlineBytes: 0 })
    const [inlined, raw] = [await trees.build(plain({ a: 'same', b: 'x' })), await blocksOnly.build(plain({ a: 'same', b: 'y' }))]

    expect((await all(diffTrees(trees.reader, inlined, raw))).map(({ path }) => path)).to.deep.equal(['/b'])
  })

  it('reads at most 100 blocks for 10 changes among 100,000 files, in deep trees', async () => {
    const store = new CountingStore()
    const built = new Trees(store.inner)
    // 20 x 20 x 25 directories of 10 files
    const path = (i: number): string[] => [`${i % 20}`, `${Math.floor(i / 20) % 20}`, `${Math.floor(i / 400) % 25}`]
    const numbers = Array.from({ length: 100_000 }, (_, i) => i)
    const tree = (isChanged: (i: number) => boolean): PlainDirectory => nest(numbers.map(i => [[...path(i), `file-${i}.txt`], isChanged(i) ? 'changed' : `content of ${i}`]))
    const before = await built.build(tree(() => false))
    const after = await built.build(tree(i => i % 10_001 === 17))

    expect(await all(diffTrees(blockReader(store), before, after))).to.have.lengthOf(10)
    expect(store.gets).to.be.at.most(100)
  }).timeout(120_000)

  it('refuses to descend below 1,024 directories', async () => {
    let root = await trees.build(plain({ end: 'x' }))

    for (let depth = 0; depth < 1_030; depth++) {
      root = await trees.apply({ base: undefined, changes: new Map([['d', { name: 'd', kind: 'directory', content: root, size: 1 }]]) })
    }

    await expect(all(diffTrees(trees.reader, undefined, root))).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  }).timeout(20_000)

  it('stops with the reason of its signal, and when abandoned', async () => {
    const [before, after] = [await trees.build(plain({ a: { b: 'x', c: 'y' } })), await trees.build(plain({}))]
    const controller = new AbortController()
    const changes = diffTrees(trees.reader, before, after, { signal: controller.signal })
    await changes.next()
    controller.abort(new Error('enough'))

    await expect(changes.next()).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')

    const left = diffTrees(trees.reader, before, after)
    await left.next()
    await left.return(undefined)
    expect(await left.next()).to.have.property('done', true)
  })
})

/** Files by their paths as a tree. */
function nest (files: ReadonlyArray<readonly [path: readonly string[], text: string]>): PlainDirectory {
  const byName = Map.groupBy(files, ([[name]]) => name)

  return {
    entries: new Map([...byName].map(([name, below]): [string, PlainNode] => {
      const [[path, text]] = below

      return [name, path.length === 1 ? { text } : nest(below.map(([[, ...rest], content]) => [rest, content]))]
    }))
  }
}
