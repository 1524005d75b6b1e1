import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import { bomb, putBomb, putNamed } from './bomb.ts'
import type { DagFs, LimitOptions, ReadonlyDagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

const levels = 40
const entries = 1_000

/** What a call goes through, and the path that its error names. */
interface Call {
  readonly title: string
  readonly path: string
  /** Whether it ends by itself soon, whatever its limits: at 1,000 conflicts */
  readonly endsSoon?: boolean
  run(bombs: Bombs, options: LimitOptions): Promise<unknown>
}

interface Bombs {
  readonly fs: DagFs
  readonly x: CID
  readonly y: CID
  readonly z: CID
}

const calls: readonly Call[] = [
  { title: 'a recursive readdir', path: '/a/b', run: async ({ fs }, options) => fs.readdir('/a/b', { recursive: true, ...options }) },
  { title: 'a recursive readdir of entries', path: '/a/b', run: async ({ fs }, options) => fs.readdir('/a/b', { recursive: true, withFileTypes: true, ...options }) },
  { title: 'a recursive opendir', path: '/a/b', run: async ({ fs }, options) => all(await fs.opendir('/a/b', { recursive: true, ...options })) },
  { title: 'walk', path: '/a/b', run: async ({ fs }, options) => all(fs.walk('/a/b', options)) },
  { title: 'glob', path: '/a/b', run: async ({ fs }, options) => all(fs.glob('**/none', { cwd: '/a/b', ...options })) },
  { title: 'diff', path: '/', run: async ({ fs, x, y }, options) => all(fs.diff(x, y, options)) },
  { title: 'diff with detectRenames', path: '/', run: async ({ fs, x, y }, options) => all(fs.diff(x, y, { detectRenames: true, ...options })) },
  { title: 'merge', path: '/', endsSoon: true, run: async ({ fs, y, z }, options) => fs.merge(z, { base: y, ...options }) },
  ...(['ours', 'theirs', 'both'] as const).map(strategy => ({
    title: `merge with the strategy ${strategy}`, path: '/', run: async ({ fs, y, z }: Bombs, options: LimitOptions) => fs.merge(z, { base: y, strategy, ...options })
  })),
  { title: 'merge without a base', path: '/', run: async ({ fs, z }, options) => fs.merge(z, { base: null, strategy: 'theirs', ...options }) },
  { title: 'checkout beside a recursive watch', path: '/', run: async ({ fs, y }, options) => watched(fs, async () => fs.checkout(y, options)) },
  { title: 'checkout beside a watch', path: '/', run: async ({ fs, y }, options) => watched(fs, async () => fs.checkout(y, options), false) },
  { title: 'cp with a filter', path: '/a', run: async ({ fs }, options) => fs.cp('/a', '/c', { recursive: true, filter: () => true, ...options }) },
  { title: 'cp with dereference', path: '/a', run: async ({ fs }, options) => fs.cp('/a', '/c', { recursive: true, dereference: true, ...options }) },
  { title: 'cp onto another directory', path: '/a', run: async ({ fs }, options) => fs.cp('/a', '/other', { recursive: true, ...options }) }
]

async function watched (fs: DagFs, work: () => Promise<unknown>, recursive = true): Promise<void> {
  const watcher = fs.watch('/', { recursive })
  const first = watcher.next()
  await new Promise(resolve => setTimeout(resolve, 1))

  try {
    await work()
  } finally {
    // what is waited for ends with an edit
    await fs.writeFile('/edit', '')
    await first
    await watcher.return(undefined)
  }
}

describe('fs, given trees of 41 blocks and 2^41 paths', () => {
  let bombs: Bombs

  beforeEach(async () => {
    const blockstore = new MemoryBlockstore()
    const [x, y, z] = await Promise.all(['x', 'y', 'z'].map(async content => putBomb(blockstore, levels, { content })))
    const fs = dagfs({ blockstore }, { root: await putNamed(blockstore, { a: x, b: x, other: y }) })
    bombs = { fs, x, y, z }
  })

  calls.forEach(({ title, path, endsSoon, run }) => {
    it(`ends ${title} at its limit of entries`, async () => {
      await expect(run(bombs, { limits: { entries } })).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', code: 'ERR_LIMIT_EXCEEDED', path, limit: entries, exceeded: 'entries' })
    })

    it(`ends ${title} at its limit of blocks`, async () => {
      await expect(run(bombs, { limits: { blocks: entries } })).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', path, limit: entries, exceeded: 'blocks' })
    })

    it(`ends ${title} at its limit of bytes`, async () => {
      await expect(run(bombs, { limits: { bytes: 20_000 } })).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', path, limit: 20_000, exceeded: 'bytes' })
    })

    if (endsSoon === true) {
      return
    }

    it(`ends ${title} soon after its signal is aborted`, async () => {
      const controller = new AbortController()
      let aborted = 0
      setTimeout(() => {
        aborted = performance.now()
        controller.abort(new Error('enough'))
      }, 20)
      const unlimited = { entries: Number.POSITIVE_INFINITY, blocks: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
      await expect(run(bombs, { signal: controller.signal, limits: unlimited })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')

      // 100 ms on a machine that does nothing else
      expect(performance.now() - aborted).to.be.below(1_000)
    })
  })

  it('copies a directory onto an equal one without reading it', async () => {
    const { fs } = bombs
    const { root } = await fs.commit()
    await fs.cp('/a', '/b', { recursive: true, limits: { entries: 0, blocks: 0, bytes: 0 } })

    expect((await fs.commit()).root).to.deep.equal(root)
  })

  it('merges and compares equal trees without reading them', async () => {
    const { fs, x, y } = bombs
    await fs.checkout(x)
    const limits = { entries: 0 }
    await fs.merge(x, { base: y, limits })
    await watched(fs, async () => fs.checkout(x, { force: true, limits }))

    expect(await all(fs.diff(x, x, { limits }))).to.deep.equal([])
  })

  it('leaves the tree unchanged after a merge or checkout beyond its limit', async () => {
    const { fs, y, z } = bombs
    const { root } = await fs.commit()
    await expect(fs.merge(z, { base: y, strategy: 'theirs', limits: { entries } })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')

    expect((await fs.commit()).root).to.deep.equal(root)
  })
})

describe('fs, given a tree of few blocks and many paths', () => {
  let fs: ReadonlyDagFs

  before(async () => { fs = await bomb(levels) })

  it('allows exactly maxEntries entries in a recursive readdir', async () => {
    const small = await bomb(3)

    expect(await small.readdir('/', { recursive: true, limits: { entries: 14 } })).to.have.lengthOf(14)
    await expect(small.readdir('/', { recursive: true, limits: { entries: 13 } })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  })

  it('applies maxEntries of readdir to entries', async () => {
    await expect(fs.readdir('/a/b', { recursive: true, maxEntries: 1_000 })).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', path: '/a/b', limit: 1_000, exceeded: 'entries' })
  })

  it('counts no entries of a flat readdir', async () => {
    expect(await fs.readdir('/', { maxEntries: 1 })).to.deep.equal(['a', 'b'])
  })

  it('counts long paths several times if they are held in memory', async () => {
    const deep = await bomb(100, ['x'.repeat(255)])

    await expect(deep.readdir('/', { recursive: true, limits: { entries: 1_000 } })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
    expect(await all(deep.walk('/', { limits: { entries: 1_000 } }))).to.have.lengthOf(100)
  })

  it('ends a glob of several patterns above maxEntries', async () => {
    await expect(all(fs.glob(['**', '**/*'], { cwd: '/a/b', maxEntries: 1_000 }))).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', path: '/a/b' })
  })

  it('does not limit a glob of one pattern, which holds no paths', async () => {
    let found = 0

    for await (const path of fs.glob('**', { maxEntries: 10 })) {
      expect(path).to.not.equal('')

      if (++found === 1_000) {
        break
      }
    }

    expect(found).to.equal(1_000)
  })

  it('refuses a maxEntries that is not a count', async () => {
    await expect(fs.readdir('/', { recursive: true, maxEntries: -1 })).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
  })

  it('refuses invalid limits', async () => {
    await expect(fs.readdir('/', { recursive: true, limits: { entries: -1 } })).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
  })
})
