import { expect } from 'aegir/chai'
import all from 'it-all'
import { bomb } from './bomb.ts'
import type { ReadonlyDagFs } from '../../src/index.ts'

describe('fs/entry-budget', () => {
  let fs: ReadonlyDagFs

  // 2^41 paths
  before(async () => { fs = await bomb(40) })

  const refusal = { name: 'LimitExceededError', code: 'ERR_LIMIT_EXCEEDED', path: '/a/b' }

  it('ends a recursive readdir above maxEntries', async () => {
    await expect(fs.readdir('/a/b', { recursive: true, maxEntries: 1_000 })).to.eventually.be.rejected.and.include(refusal)
  })

  it('ends a recursive readdir of entries above maxEntries', async () => {
    await expect(fs.readdir('/a/b', { recursive: true, withFileTypes: true, maxEntries: 1_000 })).to.eventually.be.rejected.and.include(refusal)
  })

  it('lets a recursive readdir have just as many entries', async () => {
    const small = await bomb(3)

    expect(await small.readdir('/', { recursive: true, maxEntries: 14 })).to.have.lengthOf(14)
    await expect(small.readdir('/', { recursive: true, maxEntries: 13 })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  })

  it('counts no entries of one directory', async () => {
    expect(await fs.readdir('/', { maxEntries: 1 })).to.deep.equal(['a', 'b'])
  })

  it('counts long paths more', async () => {
    const deep = await bomb(100, ['x'.repeat(255)])

    await expect(deep.readdir('/', { recursive: true, maxEntries: 1_000 })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  })

  it('ends a glob of several patterns above maxEntries', async () => {
    await expect(all(fs.glob(['**', '**/*'], { cwd: '/a/b', maxEntries: 1_000 }))).to.eventually.be.rejected.and.include(refusal)
  })

  it('lets a glob of one pattern go on, which remembers nothing', async () => {
    let found = 0

    for await (const path of fs.glob('**', { maxEntries: 10 })) {
      expect(path).to.not.equal('')

      if (++found === 1_000) {
        break
      }
    }

    expect(found).to.equal(1_000)
  })

  it('refuses a maxEntries that is no count', async () => {
    await expect(fs.readdir('/', { recursive: true, maxEntries: -1 })).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
  })
})
