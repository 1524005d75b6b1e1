import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { exportDirectory, importDirectory } from '../../../src/adapters/host/index.ts'
import { below, random, seed } from '../../seed.ts'
import { memoryFs, temporaryDirectory } from './host.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/export, update of an earlier export', () => {
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
    it(`writes nothing if nothing differs, by ${update}`, async () => {
      const before = ['a', 'a/one', 'a/two', 'link', 'empty'].map(inode)

      expect(await exportDirectory(fs, target, { update })).to.deep.equal({ files: 2, directories: 2, symlinks: 1, bytes: 3 * 2 ** 20 + 3, skipped: [], unchanged: 2 })
      expect(['a', 'a/one', 'a/two', 'link', 'empty'].map(inode)).to.deep.equal(before)
    })

    it(`writes only what differs, by ${update}`, async () => {
      const before = inode('a/two')
      await fs.addAll([{ path: '/a/one', content: 'ONE', mode: 0o600, mtime: [2_000_000, 0] }, { path: '/a/three', content: '3' }, { path: '/link', kind: 'symlink', target: 'a' }])

      expect((await exportDirectory(fs, target, { update })).unchanged).to.equal(1)
      expect(found()).to.include({ '/a/one': 'ONE', '/a/three': '3', '/link': 'to a' })
      expect(inode('a/two')).to.equal(before)
      expect(nodefs.statSync(join(target, 'a/one'))).to.include({ mtimeMs: 2_000_000_000 })
      expect(nodefs.statSync(join(target, 'a/one')).mode & 0o777).to.equal(0o600)
    })
  })

  it('keeps the time of an unchanged target, recorded or not', async () => {
    await fs.addAll([{ path: '/d', kind: 'directory', mtime: [1_000_000, 0] }, { path: '/d/a', content: 'a' }, { path: '/e/a', content: 'a' }])
    await exportDirectory(fs, join(root, 'd'), { from: '/d' })
    await exportDirectory(fs, join(root, 'e'), { from: '/e' })
    nodefs.utimesSync(join(root, 'e'), 2_000_000, 3_000_000.5)
    await exportDirectory(fs, join(root, 'd'), { from: '/d', ...mirror })
    await exportDirectory(fs, join(root, 'e'), { from: '/e', ...mirror })

    expect(times(root, 'd', 'e')).to.deep.equal([1_000_000_000, 3_000_000_500])
  })

  it('finds different content of the same size and time by content, not by time', async () => {
    nodefs.writeFileSync(join(target, 'a/one'), 'ENO')
    nodefs.utimesSync(join(target, 'a/one'), 1_000_000.5, 1_000_000.5)
    expect((await exportDirectory(fs, target, { update: 'time' })).unchanged).to.equal(2)
    expect((await exportDirectory(fs, target, content)).unchanged).to.equal(1)
    expect(found()['/a/one']).to.equal('one')
  })

  it('finds a differing byte anywhere, and a longer or shorter file', async () => {
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

  it('sets mode and time without writing the file if only they differ', async () => {
    const before = inode('a/one')
    nodefs.chmodSync(join(target, 'a/one'), 0o4777)
    nodefs.utimesSync(join(target, 'a/one'), 1, 1)
    await exportDirectory(fs, target, content)

    expect(inode('a/one')).to.equal(before)
    expect(nodefs.statSync(join(target, 'a/one')).mode & 0o7777).to.equal(0o644)
    expect(nodefs.statSync(join(target, 'a/one')).mtimeMs).to.equal(1_000_000_500)
  })

  it('keeps permission bits that the tree does not set', async () => {
    nodefs.chmodSync(join(target, 'a/two'), 0o600)
    nodefs.chmodSync(join(target, 'a/one'), 0o4751)
    await fs.writeFile('/a/two', 'new')
    await fs.addAll([{ path: '/a/one', content: 'new', mode: 0o666 }])
    expect((await exportDirectory(fs, target, { ...content, mode: false })).unchanged).to.equal(0)

    expect(['a/two', 'a/one'].map(name => nodefs.statSync(join(target, name)).mode & 0o7777)).to.deep.equal([0o600, 0o751])
    expect(found()).to.include({ '/a/one': 'new', '/a/two': 'new' })
  })

  it('breaks a hard link when it replaces a file', async () => {
    nodefs.linkSync(join(target, 'a/one'), join(root, 'other'))
    await fs.writeFile('/a/one', 'new')
    await exportDirectory(fs, target, content)

    expect(nodefs.readFileSync(join(root, 'other'), 'utf8')).to.equal('one')
    expect(found()['/a/one']).to.equal('new')
  })

  it('breaks a hard link when it sets a mode or time', async () => {
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

  it('replaces a link with a file, and follows none', async () => {
    nodefs.writeFileSync(join(root, 'outside'), 'one')
    nodefs.rmSync(join(target, 'a/one'))
    nodefs.symlinkSync(join(root, 'outside'), join(target, 'a/one'))
    await fs.writeFile('/a/one', 'new')
    await exportDirectory(fs, target, content)

    expect(nodefs.readFileSync(join(root, 'outside'), 'utf8')).to.equal('one')
    expect(found()['/a/one']).to.equal('new')
  })

  it('keeps extra entries unless `delete` is set, and then follows no link', async () => {
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

  it('replaces an entry of another kind only with `delete`', async () => {
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

  it('keeps what the target has at the path of a skipped entry', async () => {
    await fs.addAll([{ path: '/a/out', kind: 'symlink', target: '/etc/passwd' }])
    nodefs.writeFileSync(join(target, 'a/out'), 'mine')
    await exportDirectory(fs, target, { ...mirror, onUnsupported: 'skip' })

    expect(found()['/a/out']).to.equal('mine')
  })

  ways.forEach(update => {
    it(`recognizes times before 1970 as unchanged, by ${update}`, async () => {
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

  it(`makes the target equal to the tree, from any state: seed ${seed}`, async () => {
    const next = random()
    const names = ['a', 'b', 'c']
    const pick = <T>(items: readonly T[]): T => items[below(next, items.length)]
    const anyPath = (): string => Array.from({ length: 1 + below(next, 3) }, () => pick(names)).join('/')
    // changes go through the links that lead there
    const [source, other, outside] = [join(root, 'source'), join(root, 'other'), join(root, 'outside')]

    const change = (directory: string): void => {
      const path = join(directory, anyPath())

      try {
        switch (below(next, 5)) {
          case 0: nodefs.rmSync(path, { recursive: true, force: true }); break
          case 1: nodefs.mkdirSync(path, { recursive: true }); break
          case 2: nodefs.symlinkSync(pick(['a', 'b', '..', outside]), path); break
          case 3: nodefs.renameSync(path, join(directory, anyPath())); break
          default: nodefs.writeFileSync(path, new Uint8Array(pick([0, 5, 5, 3_000])).fill(below(next, 4)))
        }
      } catch {
        // what is in the way stays
      }
    }

    for (const directory of [source, other, outside]) {
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
        if (kind === 'symlink' && (to === outside || to === '..')) {
          await tree.rm(path)
          await exported.rm(path, { recursive: true, force: true })
        }
      }

      expect(String((await exported.commit()).root), `round ${round}`).to.equal(String((await tree.commit()).root))
    }
  }).timeout(60_000)
})
