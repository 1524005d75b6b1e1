import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import { putBomb } from './bomb.ts'
import type { DagFs } from '../../src/index.ts'

const recursive = true

/** Calls that would make something lie 1,025 segments deep. The link leads to the directory at 1,023, `/link/x` is one in it. */
const calls: ReadonlyArray<readonly [title: string, syscall: string, call: (fs: DagFs) => Promise<unknown>]> = [
  ['rename', 'rename', async fs => fs.rename('/w', `${'/d'.repeat(1_023)}/w`)],
  ['rename through a link', 'rename', async fs => fs.rename('/w', '/link/w')],
  ['rename of a deep directory', 'rename', async fs => fs.rename('/d', '/w/d')],
  ['cp', 'cp', async fs => fs.cp('/w', '/link/w', { recursive })],
  ['cp of a deep directory', 'cp', async fs => fs.cp('/d', '/w/d', { recursive })],
  ['cp with a filter', 'cp', async fs => fs.cp('/w', '/link/w', { recursive, filter: () => true })],
  ['cp with dereference', 'cp', async fs => fs.cp('/w', '/link/w', { recursive, dereference: true })],
  ['mkdir', 'mkdir', async fs => fs.mkdir('/link/x/y')],
  ['a recursive mkdir', 'mkdir', async fs => fs.mkdir('/link/x/y/z', { recursive })],
  ['mkdtemp', 'mkdtemp', async fs => fs.mkdtemp('/link/x/y')],
  ['writeFile', 'open', async fs => fs.writeFile('/link/x/y', '1')],
  ['appendFile', 'open', async fs => fs.appendFile('/link/x/y', '1')],
  ['open', 'open', async fs => fs.open('/link/x/y', 'w')],
  ['symlink', 'symlink', async fs => fs.symlink('z', '/link/x/y')],
  ['copyFile', 'copyfile', async fs => fs.copyFile('/file', '/link/x/y')]
]

describe('fs, given a tree of maximum depth', () => {
  let fs: DagFs

  beforeEach(async () => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
    const lowest = '/d'.repeat(1_023)
    await fs.addAll([{ path: '/file', content: '1' }, { path: '/link', kind: 'symlink', target: lowest }, { path: `${lowest}/x`, kind: 'directory' }, { path: '/w/e', kind: 'directory' }])
  })

  calls.forEach(([title, syscall, call]) => {
    it(`never makes a deeper tree with ${title}`, async () => {
      await expect(call(fs)).to.eventually.be.rejected.and.include({ name: 'FileSystemError', code: 'ENAMETOOLONG', syscall })
      await fs.commit()
      await expect(call(fs)).to.eventually.be.rejected.and.include({ name: 'FileSystemError', code: 'ENAMETOOLONG', syscall })
      expect(await all(fs.walk('/'))).to.have.lengthOf(1_028)
    })
  })

  it('accepts entries at the lowest level', async () => {
    await fs.writeFile('/link/file', '1')
    await fs.symlink('x', '/link/to-x')
    await fs.rename('/w/e', '/link/e')
    await fs.rename('/link/x', '/link/y')
    await fs.rename('/d', '/f')

    expect(await all(fs.walk('/f'))).to.have.lengthOf(1_026)
  })

  it('finds nothing below the lowest level', async () => {
    expect(await fs.exists('/link/x/y')).to.equal(false)
  })
})

describe('fs, given directories of 2^900 paths', () => {
  it('renames and copies them deeper up to the limit', async () => {
    const blockstore = new MemoryBlockstore()
    const fs = dagfs({ blockstore }, { root: await putBomb(blockstore, 900) })
    await fs.mkdir(`/c${'/d'.repeat(199)}`, { recursive })
    await fs.rename('/a', '/c/d/a')
    await fs.cp('/b', '/c/d/b', { recursive })

    await expect(fs.rename('/b', `/c${'/d'.repeat(199)}/b`)).to.eventually.be.rejected.with.property('code', 'ENAMETOOLONG')
    expect(await fs.readdir('/c/d/a')).to.deep.equal(['a', 'b'])
  })
})
