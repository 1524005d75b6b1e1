import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { exportDirectory, importDirectory } from '../../../src/adapters/host/index.ts'
import { dagfs } from '../../../src/index.ts'
import { memoryFs, openDescriptors, temporaryDirectory } from './host.ts'
import { inChild } from './in-child.ts'
import type { ExportOptions } from '../../../src/adapters/host/index.ts'
import type { AddedEntry, DagFs } from '../../../src/index.ts'

describe('adapters/host/export, failures of an update', () => {
  let root: string
  let target: string
  let remove: () => void
  let fs: DagFs

  beforeEach(async () => {
    ({ path: root, remove } = temporaryDirectory())
    target = join(root, 'target')
    fs = memoryFs()
    await fs.addAll([
      { path: '/a/one', content: 'one', mode: 0o644, mtime: [1_000_000, 500_000_000] },
      { path: '/a/two', content: new Uint8Array(3 * 2 ** 20).fill(2), mtime: [1_000_000, 0] },
      { path: '/link', kind: 'symlink', target: 'a/one' },
      { path: '/empty', kind: 'directory' }
    ])
    await exportDirectory(fs, target)
  })

  afterEach(() => {
    remove()
  })

  const content = { update: 'content' } as const
  const mirror = { update: 'content', delete: true } as const

  /** What is below the target: what an inode is, and what it holds. */
  function found (directory = target): Record<string, string> {
    return Object.fromEntries(nodefs.readdirSync(directory, { recursive: true, withFileTypes: true }).map(entry => {
      const path = join(entry.parentPath, entry.name)

      return [path.slice(directory.length), held(path, entry)]
    }))
  }

  function held (path: string, entry: nodefs.Dirent): string {
    if (entry.isDirectory()) {
      return 'directory'
    }

    return entry.isSymbolicLink() ? `to ${nodefs.readlinkSync(path)}` : nodefs.readFileSync(path, 'latin1')
  }

  const ways = ['content', 'time'] as const

  it('stops deleting when aborted', async () => {
    const stale = join(target, 'stale')
    nodefs.mkdirSync(stale)

    for (let i = 0; i < 10_000; i++) {
      nodefs.writeFileSync(join(stale, String(i)), '')
    }

    const controller = new AbortController()
    const begun = setInterval(() => {
      if (!nodefs.existsSync(stale) || nodefs.readdirSync(stale).length < 10_000) {
        controller.abort(new Error('enough'))
      }
    }, 1)

    try {
      await expect(exportDirectory(fs, target, { ...mirror, signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    } finally {
      clearInterval(begun)
    }

    expect(nodefs.readdirSync(stale)).to.have.lengthOf.above(0)

    await exportDirectory(fs, target, mirror)
    expect(nodefs.existsSync(stale)).to.equal(false)
  })

  it('deletes no directory if its replacement cannot be read or created', async () => {
    const blockstore = new MemoryBlockstore()
    const damaged = dagfs({ blockstore })
    await damaged.writeFile('/a', new Uint8Array(3_000))
    await damaged.commit()
    const { cid } = await damaged.stat('/a')
    await blockstore.delete(cid ?? expect.fail('the file has no block'))
    const before = found()

    for (const update of ways) {
      await expect(exportDirectory(damaged, target, { update, delete: true })).to.eventually.be.rejected.with.property('name', 'NotFoundError')
      expect(found()).to.deep.equal(before)
    }

    const { symlinkSync } = nodefs
    await damaged.rm('/a')
    await damaged.symlink('empty', '/a')
    nodefs.symlinkSync = () => { throw Object.assign(new Error('EPERM'), { code: 'EPERM' }) }

    try {
      await expect(exportDirectory(damaged, target, mirror)).to.eventually.be.rejected.with.include({ code: 'EPERM' })
    } finally {
      nodefs.symlinkSync = symlinkSync
    }

    expect(found()).to.deep.equal(before)
  })

  describe('as a user without all permissions', () => {
    let there: string
    let closed: DagFs

    beforeEach(async () => {
      there = join(root, 'there')
      closed = memoryFs()
      await closed.addAll([
        { path: '/d', kind: 'directory', mode: 0o555 },
        { path: '/d/in', kind: 'directory', mode: 0o100 },
        { path: '/d/in/file', content: 'one', mode: 0o444 },
        { path: '/d/secret', content: 'two', mode: 0o200, mtime: [1_000_000, 0] },
        { path: '/plain/file', content: 'three' }
      ])
      await exportAsOwner()
    })

    /** Root may do everything, so another user has to try, whose the directory becomes. */
    async function exportAsOwner (options?: ExportOptions): Promise<void> {
      const isRoot = process.geteuid?.() === 0

      if (isRoot) {
        nodefs.chownSync(root, 65_534, 65_534)
        process.seteuid?.(65_534)
      }

      try {
        await exportDirectory(closed, there, options)
      } finally {
        if (isRoot) {
          process.seteuid?.(0)
        }
      }
    }

    function bits (...names: string[]): number[] {
      return names.map(path => nodefs.statSync(join(there, path)).mode & 0o777)
    }

    ways.forEach(update => {
      it(`updates write-protected directories and files, and restores their modes, by ${update}`, async () => {
        await closed.chmod('/d/secret', 0o600)
        await closed.addAll([{ path: '/d/in/more', content: 'more' }])
        await exportAsOwner({ update, delete: true })

        expect(found(there)).to.include({ '/d/in/file': 'one', '/d/in/more': 'more', '/d/secret': 'two' })
        expect(bits('d', 'd/in', 'd/in/file', 'd/secret')).to.deep.equal([0o555, 0o100, 0o444, 0o600])
      })
    })

    it('restores modes after a failure and with `mode: false`', async () => {
      nodefs.chmodSync(join(there, 'plain'), 0o500)
      nodefs.chmodSync(there, 0o500)
      await closed.addAll([{ path: '/plain/file', content: 'THREE' }, { path: '/d/in/file', content: 'ONE' }])
      await exportAsOwner({ ...content, mode: false })
      expect(found(there)).to.include({ '/plain/file': 'THREE', '/d/in/file': 'ONE' })
      expect(bits('', 'd', 'd/in', 'plain')).to.deep.equal([0o500, 0o555, 0o100, 0o500])

      nodefs.chmodSync(there, 0o755)
      nodefs.chmodSync(join(there, 'd'), 0o755)
      nodefs.unlinkSync(join(there, 'd/in/file'))
      nodefs.mkdirSync(join(there, 'd/in/file'))
      nodefs.chmodSync(join(there, 'd'), 0o500)
      nodefs.chmodSync(there, 0o500)
      await expect(exportAsOwner(content)).to.eventually.be.rejected.with.include({ code: 'EEXIST' })
      expect(bits('', 'd', 'd/in')).to.deep.equal([0o500, 0o555, 0o100])
    })

    it('deletes a write-protected directory', async () => {
      await closed.rm('/d', { recursive: true })
      await exportAsOwner(mirror)

      expect(found(there)).to.deep.equal({ '/plain': 'directory', '/plain/file': 'three' })
    })

    it('names the file whose mode it cannot set', async () => {
      nodefs.chmodSync(join(there, 'plain'), 0o777)
      nodefs.chownSync(join(there, 'plain/file'), 0, 0)
      await closed.chmod('/plain/file', 0o700)

      // nobody else may give a file away
      if (process.geteuid?.() === 0) {
        await expect(exportAsOwner(content)).to.eventually.be.rejected.with.include({ code: 'EPERM', path: join(there, 'plain/file') })
      }
    })
  })

  it('names the file that it could not read, write or date', async () => {
    const error = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    const calls = [['readSync', content], ['futimesSync', content], ['writeSync', undefined], ['futimesSync', undefined]] as const

    for (const [name, options] of calls) {
      const call = nodefs[name]
      const there = options === undefined ? join(root, `${name}-target`) : target
      nodefs.utimesSync(join(target, 'a/one'), 5, 5)
      nodefs[name] = () => { throw error }

      try {
        await expect(exportDirectory(fs, there, options), name).to.eventually.be.rejected.with.include({ code: 'EIO', path: join(there, 'a/one') })
      } finally {
        Object.assign(nodefs, { [name]: call })
      }
    }
  })

  it('reports the first failure even if the partial file is gone', async () => {
    const view = fs.at((await fs.commit()).root)
    const there = join(root, 'there')
    const failing = Object.assign(Object.create(view), {
      async * cat () {
        yield new Uint8Array(1)
        nodefs.rmSync(join(there, 'a'), { recursive: true })
        throw new Error('the store is gone')
      },
      ls: view.ls.bind(view),
      stat: view.stat.bind(view),
      readFile: view.readFile.bind(view)
    })

    await expect(exportDirectory(failing, there)).to.eventually.be.rejectedWith('the store is gone')
  })

  it('refuses to delete without `update`', async () => {
    await expect(exportDirectory(fs, target, { delete: true })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    await expect(exportDirectory(fs, target, { update: 'always' } as unknown as ExportOptions)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
  })

  it('keeps the old file and link, and no temporary file, if replacing fails', async () => {
    await fs.addAll([{ path: '/a/one', content: 'ONE' }, { path: '/link', kind: 'symlink', target: 'a' }])
    const { renameSync } = nodefs
    nodefs.renameSync = () => { throw Object.assign(new Error('EIO'), { code: 'EIO' }) }

    try {
      await expect(exportDirectory(fs, target, content)).to.eventually.be.rejected.with.include({ code: 'EIO' })
      await fs.writeFile('/a/one', 'one')
      await expect(exportDirectory(fs, target, content)).to.eventually.be.rejected.with.include({ code: 'EIO' })
    } finally {
      nodefs.renameSync = renameSync
    }

    expect(Object.keys(found()).sort()).to.deep.equal(['/a', '/a/one', '/a/two', '/empty', '/link'])
    expect(found()).to.include({ '/a/one': 'one', '/link': 'to a/one' })
  })

  it('keeps the old file, and no temporary file, when it fails or is aborted', async () => {
    const view = fs.at((await fs.commit()).root)
    const before = openDescriptors(nodefs)
    nodefs.truncateSync(join(target, 'a/two'), 5)
    const failing = Object.assign(Object.create(view), {
      async * cat () {
        yield new Uint8Array(2 ** 20)
        throw new Error('the store is gone')
      },
      ls: view.ls.bind(view),
      stat: view.stat.bind(view),
      readFile: view.readFile.bind(view)
    })

    await expect(exportDirectory(failing, target, content)).to.eventually.be.rejectedWith('the store is gone')
    expect(Object.keys(found()).sort()).to.deep.equal(['/a', '/a/one', '/a/two', '/empty', '/link'])
    expect(nodefs.statSync(join(target, 'a/two')).size).to.equal(5)
    expect(openDescriptors(nodefs)).to.equal(before)

    const controller = new AbortController()
    const aborted = exportDirectory(fs, target, { ...content, signal: controller.signal, onProgress: () => { controller.abort(new Error('enough')) } })
    await expect(aborted).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(openDescriptors(nodefs)).to.equal(before)
  })

  it('resumes after its process was killed', async () => {
    const source = join(root, 'source')
    nodefs.mkdirSync(source)

    for (let i = 0; i < 100; i++) {
      nodefs.writeFileSync(join(source, `${i}`), `${i}`.repeat(1_000))
    }

    const { signal } = exportAndDie(source, join(root, 'killed'), 60)
    expect(signal).to.equal('SIGKILL')
    const tree = memoryFs()
    await importDirectory(tree, source)
    const { unchanged } = await exportDirectory(tree, join(root, 'killed'), content)

    expect(unchanged).to.be.within(58, 62)
    expect(found(join(root, 'killed'))).to.deep.equal(found(source))
  }).timeout(30_000)

  it('sets the mode and time of a target whose first export was killed', async () => {
    const tree: AddedEntry[] = [
      { path: '/d', kind: 'directory', mode: 0o755, mtime: [1_000_000, 0] },
      { path: '/d/a', content: 'a', mode: 0o644 },
      { path: '/d/b', content: 'b', mode: 0o644 }
    ]
    const killed = join(root, 'killed')
    const { signal } = inChild(`
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      await fs.addAll(${JSON.stringify(tree)})
      await exportDirectory(fs, ${JSON.stringify(killed)}, { from: '/d', onProgress: () => process.kill(process.pid, 'SIGKILL') })
    `)
    expect(signal).to.equal('SIGKILL')
    await fs.addAll(tree)
    await exportDirectory(fs, killed, { from: '/d', ...content })

    expect(nodefs.readdirSync(killed)).to.deep.equal(['a', 'b'])
    expect((nodefs.statSync(killed).mode & 0o777).toString(8)).to.equal('755')
    expect(nodefs.statSync(killed).mtimeMs).to.equal(1_000_000_000)
  }).timeout(30_000)
})

/** Imports a directory and exports it in a process that kills itself after as many entries. */
function exportAndDie (source: string, target: string, entries: number): { signal: string | null } {
  return inChild(`
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    await importDirectory(fs, ${JSON.stringify(source)})
    let entries = 0
    await exportDirectory(fs, ${JSON.stringify(target)}, { onProgress: () => { if (++entries === ${entries}) process.kill(process.pid, 'SIGKILL') } })
  `)
}
