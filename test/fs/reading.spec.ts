import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import type { DagFs } from '../../src/index.ts'
import '../seed.ts'

/** What is read from the tree that the tests of reading begin with. */
function readingSuite (fs: () => DagFs): void {
  const files: Array<[path: string, content: string]> = [
    ['/file', 'content'],
    ['file', 'content'],
    ['//file', 'content'],
    ['/./dir/../file', 'content'],
    ['/../../file', 'content'],
    ['/dir/up', 'content'],
    ['/absolute', 'deep'],
    ['/to-dir/deep', 'deep'],
    // the parent of what the link points to, not of the link
    ['/to-dir/../up', 'content']
  ]

  files.forEach(([path, content]) => {
    it(`reads ${path}`, async () => {
      expect(await fs().readFile(path, 'utf8')).to.equal(content)
    })
  })

  const failures: Array<[path: string, code: string]> = [
    ['/missing', 'ENOENT'],
    ['/dir/missing/deep', 'ENOENT'],
    ['/broken', 'ENOENT'],
    ['/file/', 'ENOTDIR'],
    ['/file/deep', 'ENOTDIR'],
    ['/loop', 'ELOOP'],
    ['', 'ENOENT'],
    ['/dir', 'EISDIR'],
    ['/to-dir', 'EISDIR'],
    ['/', 'EISDIR']
  ]

  failures.forEach(([path, code]) => {
    it(`fails to read '${path}' with ${code}`, async () => {
      // as in Node: what is open is read, wherever it was found
      const facts = code === 'EISDIR' ? { code, syscall: 'read' } : { code, syscall: 'open', path }
      await expect(fs().readFile(path)).to.eventually.be.rejected.with.include({ name: 'FileSystemError', ...facts })
      await expect(all(fs().cat(path))).to.eventually.be.rejected.with.include(facts)
    })
  })

  it('lists through a link to a directory, below the given path', async () => {
    expect((await all(fs().ls('/to-dir'))).map(({ path }) => path)).to.deep.equal(['/to-dir/deep'])
  })

  it('fails to list a file with ENOTDIR', async () => {
    await expect(all(fs().ls('/file'))).to.eventually.be.rejected.with.include({ code: 'ENOTDIR', path: '/file' })
  })

  it('returns the link itself in lstat', async () => {
    expect(await fs().lstat('/dir/up')).to.include({ kind: 'symlink', mode: 0o120777 })
  })

  it('accepts file URLs and bytes as paths', async () => {
    expect(await fs().stat(new URL('file:///dir/%75p'))).to.include({ size: 7 })
    expect(await fs().stat(new TextEncoder().encode('/dir/up'))).to.include({ size: 7 })
  })

  it('follows links in stat', async () => {
    expect(await fs().stat('/dir/up')).to.include({ kind: 'file', size: 7 })
  })

  it('does not follow links in walk', async () => {
    expect((await all(fs().walk())).map(({ path }) => path)).to.deep.equal(['/absolute', '/broken', '/dir', '/dir/sub', '/dir/sub/deep', '/dir/up', '/file', '/loop', '/pool', '/to-dir'])
  })

  it('walks below a directory', async () => {
    expect((await all(fs().walk('dir/'))).map(({ path }) => path)).to.deep.equal(['/dir/sub', '/dir/sub/deep', '/dir/up'])
  })

  it('returns the size of the whole tree', async () => {
    expect(await fs().stat('/')).to.include({ kind: 'directory', size: 11 })
  })
}

describe('fs', () => {
  let fs: DagFs

  beforeEach(() => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
  })

  describe('reading', () => {
    beforeEach(async () => {
      await fs.addAll([
        { path: '/file', content: 'content' },
        { path: '/dir/sub/deep', content: 'deep' },
        { path: '/dir/up', kind: 'symlink', target: '../file' },
        { path: '/to-dir', kind: 'symlink', target: 'dir/sub' },
        { path: '/absolute', kind: 'symlink', target: '/dir/sub/deep' },
        { path: '/broken', kind: 'symlink', target: 'nowhere' },
        { path: '/loop', kind: 'symlink', target: 'pool' },
        { path: '/pool', kind: 'symlink', target: 'loop' }
      ])
    })

    describe('a draft', () => {
      readingSuite(() => fs)
    })

    describe('a stored tree', () => {
      beforeEach(async () => {
        await fs.commit()
      })

      readingSuite(() => fs)
    })

    it('merges stored and draft entries page by page', async () => {
      await fs.addAll(Array.from({ length: 50 }, (_, i) => ({ path: `/mix/${2 * i}`.padEnd(8, '0'), content: 'stored' })))
      await fs.commit()
      await fs.addAll(Array.from({ length: 50 }, (_, i) => ({ path: `/mix/${3 * i}`.padEnd(8, '0'), content: 'draft' })))
      const listed = (await all(fs.ls('/mix'))).map(({ name }) => name)
      const paged: string[] = []

      for (let page = await all(fs.ls('/mix', { limit: 7 })); page.length > 0; page = await all(fs.ls('/mix', { limit: 7, after: paged[paged.length - 1] }))) {
        paged.push(...page.map(({ name }) => name))
      }

      expect(paged).to.deep.equal(listed)
      expect(listed).to.deep.equal([...new Set(listed)].sort())
      const { root } = await fs.commit()
      expect((await all(fs.at(root).ls('/mix'))).map(({ name }) => name)).to.deep.equal(listed)
    })

    const options: Array<[what: string, call: () => Promise<unknown>, option: string]> = [
      ['a negative offset', async () => all(fs.cat('/file', { offset: -1 })), 'offset'],
      ['a length that is no integer', async () => all(fs.cat('/file', { length: 1.5 })), 'length'],
      ['a negative limit', async () => all(fs.ls('/', { limit: -1 })), 'limit'],
      ['an unknown option', async () => all(fs.ls('/', { limits: 1 } as object)), 'limits']
    ]

    for (const [what, call, option] of options) {
      it(`refuses ${what}, naming the option`, async () => {
        await expect(call()).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option })
      })
    }

    it('refuses an unknown encoding', async () => {
      await expect(fs.readFile('/file', { encoding: 'klingon' } as object)).to.eventually.be.rejected.with.property('code', 'ERR_INVALID_ARG_VALUE')
    })

    it('refuses a bufferSize of opendir that Node.js refuses', async () => {
      // Node throws most of these where nobody can catch them
      for (const bufferSize of [0, -1, 1.5, 2 ** 32]) {
        await expect(fs.opendir('/', { bufferSize })).to.eventually.be.rejected.with.include({ code: 'ERR_OUT_OF_RANGE' }).and.property('message').that.include('options.bufferSize')
      }

      await (await fs.opendir('/', { bufferSize: 1 })).close()
    })

    it('keeps a byte order mark in text', async () => {
      await fs.addAll([{ path: '/bom', content: '\ufefftext' }])

      expect(await fs.readFile('/bom', 'utf8')).to.equal('\ufefftext')
    })

    it('reads nothing if the signal is aborted', async () => {
      await fs.commit()

      await expect(fs.readFile('/file', { signal: AbortSignal.abort() })).to.eventually.be.rejected.with.property('name', 'AbortError')
    })

    it('refuses a modified block, naming it', async () => {
      const blockstore = new MemoryBlockstore()
      const tampered = dagfs({ blockstore })
      await tampered.addAll([{ path: '/a', content: new Uint8Array(5_000) }])
      const { root } = await tampered.commit()
      const { cid } = await tampered.stat('/a')

      if (cid === undefined) {
        throw new Error('a file of 5,000 bytes has a block')
      }

      blockstore.put(cid, new Uint8Array(5_000).fill(1))
      await expect(tampered.at(root).readFile('/a')).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
      await expect(dagfs({ blockstore }, { root, trusted: true }).readFile('/a')).to.eventually.deep.equal(new Uint8Array(5_000).fill(1))
    })
  })
})
