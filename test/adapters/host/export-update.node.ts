import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { exportDirectory, importDirectory } from '../../../src/adapters/host/index.ts'
import { dagfs } from '../../../src/index.ts'
import { below, random, seed } from '../../seed.ts'
import { memoryFs, openDescriptors, temporaryDirectory } from './host.ts'
import { inChild } from './in-child.ts'
import type { ExportOptions } from '../../../src/adapters/host/index.ts'
import type { AddedEntry, DagFs } from '../../../src/index.ts'

describe('adapters/host/export, where an earlier version is', () => {
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

  function inode (path: string): bigint {
    return nodefs.lstatSync(join(target, path), { bigint: true }).ino
  }

  function times (directory: string, ...names: string[]): number[] {
    return names.map(path => nodefs.lstatSync(join(directory, path)).mtimeMs)
  }

  const ways = ['content', 'time'] as const

  ways.forEach(update => {
    it(`writes nothing where nothing differs, by ${update}`, async () => {
      const before = ['a', 'a/one', 'a/two', 'link', 'empty'].map(inode)

      expect(await exportDirectory(fs, target, { update })).to.deep.equal({ files: 2, directories: 2, symlinks: 1, bytes: 3 * 2 ** 20 + 3, skipped: [], unchanged: 2 })
      expect(['a', 'a/one', 'a/two', 'link', 'empty'].map(inode)).to.deep.equal(before)
    })

    it(`writes what differs alone, by ${update}`, async () => {
      const before = inode('a/two')
      await fs.addAll([{ path: '/a/one', content: 'ONE', mode: 0o600, mtime: [2_000_000, 0] }, { path: '/a/three', content: '3' }, { path: '/link', kind: 'symlink', target: 'a' }])

      expect((await exportDirectory(fs, target, { update })).unchanged).to.equal(1)
      expect(found()).to.include({ '/a/one': 'ONE', '/a/three': '3', '/link': 'to a' })
      expect(inode('a/two')).to.equal(before)
      expect(nodefs.statSync(join(target, 'a/one'))).to.include({ mtimeMs: 2_000_000_000 })
      expect(nodefs.statSync(join(target, 'a/one')).mode & 0o777).to.equal(0o600)
    })
  })

  it('leaves the time of a target alone in which nothing differs, whether or not one is recorded', async () => {
    await fs.addAll([{ path: '/d', kind: 'directory', mtime: [1_000_000, 0] }, { path: '/d/a', content: 'a' }, { path: '/e/a', content: 'a' }])
    await exportDirectory(fs, join(root, 'd'), { from: '/d' })
    await exportDirectory(fs, join(root, 'e'), { from: '/e' })
    nodefs.utimesSync(join(root, 'e'), 2_000_000, 3_000_000.5)
    await exportDirectory(fs, join(root, 'd'), { from: '/d', ...mirror })
    await exportDirectory(fs, join(root, 'e'), { from: '/e', ...mirror })

    expect(times(root, 'd', 'e')).to.deep.equal([1_000_000_000, 3_000_000_500])
  })

  it('finds other bytes of the same size and time by content, and not by time', async () => {
    nodefs.writeFileSync(join(target, 'a/one'), 'ENO')
    nodefs.utimesSync(join(target, 'a/one'), 1_000_000.5, 1_000_000.5)
    expect((await exportDirectory(fs, target, { update: 'time' })).unchanged).to.equal(2)
    expect((await exportDirectory(fs, target, content)).unchanged).to.equal(1)
    expect(found()['/a/one']).to.equal('one')
  })

  it('finds another byte, wherever it is in a file, and what is longer or shorter', async () => {
    for (const change of [0, 2 ** 20 - 1, 2 ** 20, 3 * 2 ** 20 - 1]) {
      const bytes = new Uint8Array(3 * 2 ** 20).fill(2)
      bytes[change] = 3
      nodefs.writeFileSync(join(target, 'a/two'), bytes)
      expect((await exportDirectory(fs, target, content)).unchanged, `${change}`).to.equal(1)
      expect(nodefs.readFileSync(join(target, 'a/two')).every(byte => byte === 2)).to.equal(true)
    }

    for (const length of [0, 3 * 2 ** 20 - 1, 3 * 2 ** 20 + 1]) {
      nodefs.truncateSync(join(target, 'a/two'), length)
      expect((await exportDirectory(fs, target, content)).unchanged, `${length}`).to.equal(1)
      expect(nodefs.statSync(join(target, 'a/two')).size).to.equal(3 * 2 ** 20)
    }
  })

  it('sets mode and time where these alone differ, without writing the file', async () => {
    const before = inode('a/one')
    nodefs.chmodSync(join(target, 'a/one'), 0o4777)
    nodefs.utimesSync(join(target, 'a/one'), 1, 1)
    await exportDirectory(fs, target, content)

    expect(inode('a/one')).to.equal(before)
    expect(nodefs.statSync(join(target, 'a/one')).mode & 0o7777).to.equal(0o644)
    expect(nodefs.statSync(join(target, 'a/one')).mtimeMs).to.equal(1_000_000_500)
  })

  it('keeps the permission bits of a file that it replaces where the tree has none, or none are to be set', async () => {
    nodefs.chmodSync(join(target, 'a/two'), 0o600)
    nodefs.chmodSync(join(target, 'a/one'), 0o4751)
    await fs.writeFile('/a/two', 'new')
    await fs.addAll([{ path: '/a/one', content: 'new', mode: 0o666 }])
    expect((await exportDirectory(fs, target, { ...content, mode: false })).unchanged).to.equal(0)

    expect(['a/two', 'a/one'].map(name => nodefs.statSync(join(target, name)).mode & 0o7777)).to.deep.equal([0o600, 0o751])
    expect(found()).to.include({ '/a/one': 'new', '/a/two': 'new' })
  })

  it('leaves alone what a replaced file was linked with', async () => {
    nodefs.linkSync(join(target, 'a/one'), join(root, 'other'))
    await fs.writeFile('/a/one', 'new')
    await exportDirectory(fs, target, content)

    expect(nodefs.readFileSync(join(root, 'other'), 'utf8')).to.equal('one')
    expect(found()['/a/one']).to.equal('new')
  })

  it('leaves alone what a file is linked with whose mode or time differs', async () => {
    const other = join(root, 'other')
    const before = nodefs.statSync(join(target, 'a/one'))
    nodefs.linkSync(join(target, 'a/one'), other)
    await fs.addAll([{ path: '/a/one', content: 'one', mode: 0o755, mtime: [2_000_000, 0] }])

    expect((await exportDirectory(fs, target, content)).unchanged).to.equal(1)
    expect(nodefs.statSync(other)).to.include({ ino: before.ino, mode: before.mode, mtimeMs: before.mtimeMs })
    expect(nodefs.statSync(join(target, 'a/one'))).to.include({ nlink: 1, mtimeMs: 2_000_000_000 })
    expect(nodefs.statSync(join(target, 'a/one')).mode & 0o777).to.equal(0o755)

    nodefs.linkSync(join(target, 'a/one'), join(root, 'same'))
    expect((await exportDirectory(fs, target, content)).unchanged).to.equal(2)
  })

  it('replaces a link in the place of a file, and follows none', async () => {
    nodefs.writeFileSync(join(root, 'outside'), 'one')
    nodefs.rmSync(join(target, 'a/one'))
    nodefs.symlinkSync(join(root, 'outside'), join(target, 'a/one'))
    await fs.writeFile('/a/one', 'new')
    await exportDirectory(fs, target, content)

    expect(nodefs.readFileSync(join(root, 'outside'), 'utf8')).to.equal('one')
    expect(found()['/a/one']).to.equal('new')
  })

  it('leaves what the tree does not have, unless it is told to delete; then follows no link', async () => {
    nodefs.mkdirSync(join(root, 'outside'))
    nodefs.writeFileSync(join(root, 'outside/precious'), '')
    nodefs.symlinkSync(join(root, 'outside'), join(target, 'a/extra'))
    nodefs.mkdirSync(join(target, 'empty/more/deep'), { recursive: true })
    nodefs.symlinkSync('../../../../outside', join(target, 'empty/more/deep/up'))
    nodefs.writeFileSync(Buffer.concat([Buffer.from(`${target}/bad`), Buffer.of(0xff)]), '')
    await exportDirectory(fs, target, content)
    expect(nodefs.readdirSync(target, { recursive: true })).to.include.members(['a/extra', 'empty/more/deep/up', 'bad\ufffd'])

    await exportDirectory(fs, target, mirror)
    expect(Object.keys(found()).sort()).to.deep.equal(['/a', '/a/one', '/a/two', '/empty', '/link'])
    expect(nodefs.readdirSync(join(root, 'outside'))).to.deep.equal(['precious'])
  })

  it('stops removing where it is aborted', async () => {
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
      await expect(exportDirectory(fs, target, { ...mirror, signal: controller.signal })).to.eventually.be.rejectedWith('enough')
    } finally {
      clearInterval(begun)
    }

    expect(nodefs.readdirSync(stale)).to.have.lengthOf.above(0)

    await exportDirectory(fs, target, mirror)
    expect(nodefs.existsSync(stale)).to.equal(false)
  })

  it('removes what is of another kind where it is told to delete, and else fails', async () => {
    nodefs.rmSync(join(target, 'a'), { recursive: true })
    nodefs.writeFileSync(join(target, 'a'), 'a')
    await expect(exportDirectory(fs, target, content)).to.eventually.be.rejected.with.include({ code: 'EEXIST', path: join(target, 'a') })
    nodefs.rmSync(join(target, 'link'))
    nodefs.mkdirSync(join(target, 'link/sub'), { recursive: true })
    await exportDirectory(fs, target, mirror)

    expect(found()).to.include({ '/a/one': 'one', '/link': 'to a/one' })
    nodefs.rmSync(join(target, 'a/one'))
    nodefs.mkdirSync(join(target, 'a/one'))
    await expect(exportDirectory(fs, target, content)).to.eventually.be.rejected.with.include({ code: 'EEXIST', path: join(target, 'a/one') })
  })

  it('removes no directory for a file that cannot be read, nor for what cannot be made', async () => {
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

  it('keeps what is in the place of an entry that is left out', async () => {
    await fs.addAll([{ path: '/a/out', kind: 'symlink', target: '/etc/passwd' }])
    nodefs.writeFileSync(join(target, 'a/out'), 'mine')
    await exportDirectory(fs, target, { ...mirror, onUnsupported: 'skip' })

    expect(found()['/a/out']).to.equal('mine')
  })

  ways.forEach(update => {
    it(`finds what is from before 1970 as it was, by ${update}`, async () => {
      const old = memoryFs()
      await old.addAll([
        { path: '/a/file', content: 'a', mtime: [-1_000_000_000, 500_000_000] },
        { path: '/a/moment', content: 'b', mtime: [-1, 999_000_000] },
        { path: '/a/link', kind: 'symlink', target: 'file', mtime: [-2, 250_000_000] },
        { path: '/a', kind: 'directory', mtime: [-3, 0] }
      ])
      const there = join(root, 'old')

      for (const unchanged of [0, 2, 2]) {
        expect((await exportDirectory(old, there, { update })).unchanged).to.equal(unchanged)
        expect(times(there, 'a/file', 'a/moment', 'a/link', 'a')).to.deep.equal([-999_999_999_500, -1, -1_750, -3_000])
        // the second export finds another time
        nodefs.utimesSync(join(there, 'a/moment'), 5, 5)
      }
    })
  })

  describe('by a user who may not do everything in it', () => {
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
      it(`writes into what an earlier export closed, replaces what may not be read, and closes it again, by ${update}`, async () => {
        await closed.chmod('/d/secret', 0o600)
        await closed.addAll([{ path: '/d/in/more', content: 'more' }])
        await exportAsOwner({ update, delete: true })

        expect(found(there)).to.include({ '/d/in/file': 'one', '/d/in/more': 'more', '/d/secret': 'two' })
        expect(bits('d', 'd/in', 'd/in/file', 'd/secret')).to.deep.equal([0o555, 0o100, 0o444, 0o600])
      })
    })

    it('closes it again where it fails or no modes are to be set, and the target as well', async () => {
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

    it('removes a directory that was closed', async () => {
      await closed.rm('/d', { recursive: true })
      await exportAsOwner(mirror)

      expect(found(there)).to.deep.equal({ '/plain': 'directory', '/plain/file': 'three' })
    })

    it('says of which file it may not set the mode', async () => {
      nodefs.chmodSync(join(there, 'plain'), 0o777)
      nodefs.chownSync(join(there, 'plain/file'), 0, 0)
      await closed.chmod('/plain/file', 0o700)

      // nobody else may give a file away
      if (process.geteuid?.() === 0) {
        await expect(exportAsOwner(content)).to.eventually.be.rejected.with.include({ code: 'EPERM', path: join(there, 'plain/file') })
      }
    })
  })

  it('names the file that it could not read, write or set the time of', async () => {
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

  it('says why a file could not be written, also where what there is of it is gone', async () => {
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

  it('refuses to delete without leave to change', async () => {
    await expect(exportDirectory(fs, target, { delete: true })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    await expect(exportDirectory(fs, target, { update: 'always' } as unknown as ExportOptions)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
  })

  it('leaves the old file and link, and no other, where they cannot be replaced', async () => {
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

  it('leaves the old file, no other and no open descriptor where it fails or is aborted', async () => {
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
    await expect(aborted).to.eventually.be.rejectedWith('enough')
    expect(openDescriptors(nodefs)).to.equal(before)
  })

  it('goes on where its process was killed', async () => {
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

  it('gives a target its mode and time that an export made whose process was killed', async () => {
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

  it(`makes the target what the tree is, whatever is there: seed ${seed}`, async () => {
    const next = random()
    const names = ['a', 'b', 'c']
    const pick = <T>(items: readonly T[]): T => items[below(next, items.length)]
    const anyPath = (): string => Array.from({ length: 1 + below(next, 3) }, () => pick(names)).join('/')
    const [source, other] = [join(root, 'source'), join(root, 'other')]

    const change = (directory: string): void => {
      const path = join(directory, anyPath())

      try {
        switch (below(next, 5)) {
          case 0: nodefs.rmSync(path, { recursive: true, force: true }); break
          case 1: nodefs.mkdirSync(path, { recursive: true }); break
          case 2: nodefs.symlinkSync(pick(['a', 'b', '..', '/etc']), path); break
          case 3: nodefs.renameSync(path, join(directory, anyPath())); break
          default: nodefs.writeFileSync(path, new Uint8Array(pick([0, 5, 5, 3_000])).fill(below(next, 4)))
        }
      } catch {
        // what is in the way stays
      }
    }

    for (const directory of [source, other]) {
      nodefs.mkdirSync(directory)
    }

    for (let round = 0; round < 100; round++) {
      for (let i = 0; i < 6; i++) {
        change(source)
        change(other)
      }

      const tree = memoryFs()
      await importDirectory(tree, source)
      await exportDirectory(tree, other, { ...mirror, onUnsupported: 'skip' })
      const exported = memoryFs()
      await importDirectory(exported, other)

      for await (const { path, kind, target: to } of tree.walk()) {
        // what leaves the target is not made, and what is in its place stays
        if (kind === 'symlink' && (to === '/etc' || to === '..')) {
          await tree.rm(path)
          await exported.rm(path, { recursive: true, force: true })
        }
      }

      expect(String((await exported.commit()).root), `round ${round}`).to.equal(String((await tree.commit()).root))
    }
  }).timeout(60_000)
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
