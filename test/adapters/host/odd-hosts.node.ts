import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { exportDirectory, importDirectory, previewImport } from '../../../src/adapters/host/index.ts'
import { dagfs } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { childFile } from '../../child-file.ts'
import { memoryFs, paths, temporaryDirectory } from './host.ts'
import { inChildOfNobody } from './in-child.ts'
import type { DiskRoots } from '../../../src/adapters/disk-roots/index.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host, on unusual hosts', () => {
  let root: string
  let source: string
  let remove: () => void
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
    source = join(root, 'source')
    nodefs.mkdirSync(source)
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
  })

  afterEach(() => {
    remove()
  })

  async function blocks (): Promise<number> {
    return (await all(blockstore.getAll())).length
  }

  it('imports hard links as separate files with shared content', async () => {
    nodefs.writeFileSync(join(source, 'a'), new Uint8Array(5_000).fill(1))
    nodefs.linkSync(join(source, 'a'), join(source, 'b'))
    const { files, bytes } = await importDirectory(fs, source)
    await fs.commit()

    expect({ files, bytes, blocks: await blocks() }).to.deep.equal({ files: 2, bytes: 10_000, blocks: 2 })
    await exportDirectory(fs, join(root, 'target'))
    expect(nodefs.statSync(join(root, 'target/a')).nlink).to.equal(1)
  })

  it('imports sparse files as zeros, stored once, and exports all of them', async () => {
    nodefs.writeFileSync(join(source, 'a'), 'begin')
    nodefs.truncateSync(join(source, 'a'), 64 * 2 ** 20)
    await importDirectory(fs, source)
    await fs.commit()

    // the first chunk, that of zeros, the index and the directory
    expect(await blocks()).to.equal(4)
    await exportDirectory(fs, join(root, 'target'))
    expect(nodefs.readFileSync(join(root, 'target/a')).equals(nodefs.readFileSync(join(source, 'a')))).to.equal(true)
  }).timeout(30_000)

  it('ignores a pipe, directory or link with an ignore file\'s name', async () => {
    nodefs.mkdirSync(join(source, 'a/.gitignore'), { recursive: true })
    nodefs.mkdirSync(join(source, 'b'))
    nodefs.symlinkSync('/dev/zero', join(source, 'b/.gitignore'))
    execFileSync('mkfifo', [join(source, '.gitignore')])
    const { skipped } = await importDirectory(fs, source, { ignoreFiles: ['.gitignore'], onSourceError: 'skip' })

    expect(skipped.map(({ error: { name } }) => name)).to.deep.equal(['UnsupportedEntryError'])
    expect(await paths(fs)).to.deep.equal(['/a', '/a/.gitignore', '/b', '/b/.gitignore'])
  })

  it('refuses an oversized ignore file, or skips its rules if asked to', async () => {
    nodefs.writeFileSync(join(source, '.gitignore'), '*\n'.repeat(2 ** 20))
    nodefs.writeFileSync(join(source, 'a'), 'a')

    await expect(importDirectory(fs, source, { ignoreFiles: ['.gitignore'] })).to.eventually.be.rejected.with.property('path', join(source, '.gitignore'))
    const { skipped } = await importDirectory(fs, source, { ignoreFiles: ['.gitignore'], onSourceError: 'skip' })
    expect(skipped.map(({ error: { name } }) => name)).to.deep.equal(['UnsupportedEntryError'])
    expect(await paths(fs)).to.deep.equal(['/.gitignore', '/a'])
  })

  it('skips the files of an open pack store, to keep its lock', async () => {
    const store = new PackBlockstore(join(source, 'store'))
    await store.open()
    nodefs.writeFileSync(join(source, 'a'), 'a')

    try {
      for (const from of [source, join(source, 'store')]) {
        await expect(importDirectory(fs, from)).to.eventually.be.rejected.with.property('path', join(source, 'store'))
      }

      await importDirectory(fs, source, { ignore: ['store/'] })
      expect(await paths(fs)).to.deep.equal(['/a'])
      expect(otherWriter(store.path)).to.equal('StoreLockedError')
    } finally {
      await store.close()
    }

    await importDirectory(fs, source, { to: '/whole' })
    expect(await paths(fs)).to.include('/whole/store/segment-00000001.car')
  })

  it('skips the files of open roots, to keep their locks', async () => {
    const link = join(root, 'link')
    nodefs.symlinkSync(source, link)
    const roots = diskRoots(join(link, 'roots.sqlite'))
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    nodefs.writeFileSync(join(source, 'a'), 'a')

    try {
      for (const from of [source, link]) {
        await expect(importDirectory(fs, from)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(from, 'roots.sqlite') })
      }

      const { skipped } = await importDirectory(fs, source, { onSourceError: 'skip', delete: true })
      expect(skipped.map(({ path }) => path)).to.deep.equal(['', '-shm', '-wal'].map(suffix => join(source, `roots.sqlite${suffix}`)))
      await importDirectory(fs, source, { ignore: ['roots.sqlite*'], delete: true })
      expect(await paths(fs)).to.deep.equal(['/a'])
    } finally {
      roots.close()
    }

    await importDirectory(fs, source, { to: '/whole' })
    expect(await paths(fs)).to.include('/whole/roots.sqlite')
  })

  describe('an export over an open store', () => {
    const mirror = { update: 'content', delete: true } as const
    let store: PackBlockstore
    let roots: DiskRoots

    beforeEach(async () => {
      store = new PackBlockstore(join(source, 'deep/store'))
      await store.open()
      roots = diskRoots(join(source, 'roots.sqlite'))
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    })

    afterEach(async () => {
      roots.close()
      await store.close()
    })

    function there (): string[] {
      return nodefs.readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()
    }

    it('does not delete the store or a directory above it', async () => {
      const before = there()
      await fs.addAll([{ path: '/deep/a', content: 'a' }])
      await expect(exportDirectory(fs, source, mirror)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(source, 'deep/store') })
      await fs.rm('/deep', { recursive: true })
      await expect(exportDirectory(fs, source, mirror)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(source, 'deep') })
      await fs.writeFile('/deep', '')
      await expect(exportDirectory(fs, source, mirror)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(source, 'deep') })
      await fs.rm('/deep')
      await fs.mkdir('/deep/store/index', { recursive: true })
      await expect(exportDirectory(fs, source, { ...mirror, onUnsupported: 'skip' })).to.eventually.be.rejected.with.include({ path: join(source, 'roots.sqlite') })

      expect(there()).to.deep.equal(before)
      expect(otherWriter(store.path)).to.equal('StoreLockedError')
    })

    it('writes nothing into or over the store, and opens none of its files', async () => {
      const before = there()
      const bytes = nodefs.statSync(join(source, 'roots.sqlite-shm')).size

      for (const path of ['/roots.sqlite', '/roots.sqlite-shm', '/roots.sqlite-journal', '/deep/store']) {
        const other = memoryFs()
        await other.addAll([{ path, content: new Uint8Array(bytes) }])

        for (const options of [{}, mirror]) {
          await expect(exportDirectory(other, source, options), path).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(source, path) })
        }
      }

      await fs.writeFile('/a', 'a')
      await expect(exportDirectory(fs, store.path)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: store.path })
      expect(there()).to.deep.equal(before)
    })

    it('skips the store\'s paths if asked to, and exports the rest', async () => {
      await fs.addAll([{ path: '/a', content: 'a' }, { path: '/deep/store/b', content: 'b' }])
      const { skipped } = await exportDirectory(fs, source, { update: 'content', onUnsupported: 'skip' })

      expect(skipped.map(({ path }) => path)).to.deep.equal(['/deep/store'])
      expect(there()).to.include('a').and.not.to.include('deep/store/b')
    })
  })

  describe('a time out of range', () => {
    const { fstatSync, lstatSync, statSync } = nodefs
    let odd: string

    beforeEach(() => {
      odd = join(source, 'odd')
    })

    afterEach(() => {
      Object.assign(nodefs, { fstatSync, lstatSync, statSync })
    })

    /** As tmpfs has it, and others that have 64 bits for seconds. */
    function setFarTime (): void {
      const far = (found: nodefs.BigIntStats): nodefs.BigIntStats => Object.assign(found, { mtimeNs: 2n ** 60n * 1_000_000_000n })
      const lookedAt = (call: typeof lstatSync) => (path: string, ...parameters: unknown[]) => {
        const found = Reflect.apply(call, nodefs, [path, ...parameters])

        return path === odd ? far(found) : found
      }
      Object.assign(nodefs, {
        fstatSync: (...parameters: unknown[]) => far(Reflect.apply(fstatSync, nodefs, parameters)),
        lstatSync: lookedAt(lstatSync),
        statSync: lookedAt(statSync)
      })
    }

    const kinds: Array<[kind: string, make: () => void]> = [
      ['a file', () => { nodefs.writeFileSync(odd, 'x') }],
      ['a large file', () => { nodefs.writeFileSync(odd, new Uint8Array(2 ** 21)) }],
      ['a directory', () => { nodefs.mkdirSync(odd) }],
      ['a link', () => { nodefs.symlinkSync('target', odd) }]
    ]

    kinds.forEach(([kind, make]) => {
      it(`is refused, naming ${kind} on the host, or skipped if times are recorded`, async () => {
        make()
        setFarTime()

        for (const options of [{}, { record: join(root, 'record') }]) {
          fs = memoryFs()
          await expect(importDirectory(fs, source, { mtime: true, ...options })).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: odd })
          const { skipped } = await importDirectory(fs, source, { mtime: true, onSourceError: 'skip', ...options })
          expect(skipped.map(({ path }) => path)).to.deep.equal([odd])
          expect(await paths(fs)).to.deep.equal([])
          await importDirectory(fs, source, options)
          expect(await paths(fs)).to.deep.equal(['/odd'])
        }
      })
    })

    it('of the source is refused, naming it', async () => {
      nodefs.mkdirSync(odd)
      setFarTime()

      for (const to of ['/', '/to']) {
        await expect(importDirectory(fs, odd, { mtime: true, to, onSourceError: 'skip' })).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: odd })
      }
    })
  })

  it('ends in a directory that links to itself or an ancestor', async () => {
    nodefs.mkdirSync(join(source, 'a'))
    nodefs.symlinkSync('.', join(source, 'a/self'))
    nodefs.symlinkSync('..', join(source, 'a/up'))
    nodefs.symlinkSync('loop', join(source, 'loop'))
    await importDirectory(fs, source, { record: join(root, 'record'), delete: true })
    await importDirectory(fs, source, { record: join(root, 'record'), delete: true })
    await exportDirectory(fs, join(root, 'target'))
    await exportDirectory(fs, join(root, 'target'), { update: 'content', delete: true })

    expect(await paths(fs)).to.deep.equal(['/a', '/a/self', '/a/up', '/loop'])
    expect(nodefs.readlinkSync(join(root, 'target/a/up'))).to.equal('..')
  })

  it('imports and exports 100,000 files in one directory, and deletes all but one', async () => {
    const { path: memory, remove: free } = temporaryDirectory(nodefs.existsSync('/dev/shm') ? '/dev/shm' : undefined)

    try {
      const many = join(memory, 'many')
      const options = { record: join(memory, 'record'), delete: true }
      nodefs.mkdirSync(many)

      for (let i = 0; i < 100_000; i++) {
        nodefs.writeFileSync(join(many, `${i}`), i % 100 === 0 ? `${i}` : '')
      }

      expect((await importDirectory(fs, many, options)).files).to.equal(100_000)
      expect((await exportDirectory(fs, join(memory, 'target'))).files).to.equal(100_000)
      expect(nodefs.readdirSync(join(memory, 'target'))).to.have.lengthOf(100_000)
      expect(nodefs.readFileSync(join(memory, 'target/99900'), 'utf8')).to.equal('99900')

      nodefs.rmSync(many, { recursive: true })
      nodefs.mkdirSync(many)
      nodefs.writeFileSync(join(many, '7'), '')
      await importDirectory(fs, many, options)
      await exportDirectory(fs, join(memory, 'target'), { update: 'content', delete: true })

      expect(await paths(fs)).to.deep.equal(['/7'])
      expect(nodefs.readdirSync(join(memory, 'target'))).to.deep.equal(['7'])
    } finally {
      free()
    }
  }).timeout(120_000)

  describe('a tree deeper than the path limit', () => {
    const name = 'n'.repeat(200)
    const levels = 25

    /** Paths of more than 4,096 bytes can be made step by step alone. */
    function makeDeep (): void {
      execFileSync('sh', ['-c', `cd "$1"; for i in $(seq ${levels}); do mkdir "$2" && cd -P "$2" || exit 1; done`, 'sh', source, name])
    }

    afterEach(() => {
      // Node.js 22 itself cannot remove such paths
      execFileSync('rm', ['-rf', source])
    })

    it('is imported as far as it can be reached, or refused, naming where', async () => {
      makeDeep()
      nodefs.writeFileSync(join(source, 'zzz'), '')
      const refusal = await importDirectory(fs, source).catch(err => err)

      expect(refusal).to.include({ code: 'ENAMETOOLONG' })
      expect(refusal.path).to.include(name)
      expect(await paths(fs)).to.deep.equal([])

      const { skipped, directories } = await importDirectory(fs, source, { onSourceError: 'skip' })
      expect(skipped).to.have.lengthOf(1)
      expect(skipped[0].error).to.include({ code: 'ENAMETOOLONG' })
      expect(directories).to.be.within(17, 21)
      expect(await paths(fs)).to.include('/zzz')

      // what could not be looked at is not taken for gone
      const told: string[] = []

      for await (const { kind } of previewImport(fs, source, { onSourceError: 'skip', delete: true })) {
        told.push(kind)
      }

      expect(told).to.deep.equal([])
    })

    it('is exported as far as the host allows, and then fails', async () => {
      await fs.mkdir(`/${Array.from({ length: levels }, () => name).join('/')}`, { recursive: true })

      await expect(exportDirectory(fs, join(root, 'target'))).to.eventually.be.rejected.with.include({ code: 'ENAMETOOLONG' })
    })
  })

  describe('a directory with more levels than a tree may have', () => {
    beforeEach(() => {
      nodefs.mkdirSync(join(source, ...Array.from({ length: 1_100 }, () => 'd')), { recursive: true })
      nodefs.writeFileSync(join(source, 'zzz'), '')
    })

    it('is refused', async () => {
      await expect(importDirectory(fs, source)).to.eventually.be.rejected.with.include({ code: 'ENAMETOOLONG' })
      expect(await paths(fs)).to.deep.equal([])
    })

    it('is imported to the lowest level if the rest may be skipped', async () => {
      const { skipped, directories } = await importDirectory(fs, source, { onSourceError: 'skip' })

      expect(directories).to.equal(1_024)
      expect(skipped.map(({ path, error }) => [path.length, error.name, 'code' in error && error.code])).to.deep.equal([[source.length + 2 * 1_025, 'FileSystemError', 'ENAMETOOLONG']])
      expect(await fs.readdir('/')).to.deep.equal(['d', 'zzz'])

      const { directories: below } = await importDirectory(fs, source, { onSourceError: 'skip', to: '/x/y', record: join(root, 'record'), delete: true })
      // the one that it goes to, and those in it
      expect(below).to.equal(1 + 1_022)
    })

    it('is refused or skipped by a preview as well', async () => {
      const told: string[] = []

      for await (const { path } of previewImport(fs, source, { onSourceError: 'skip', delete: true })) {
        told.push(path)
      }

      expect(told.at(-1)).to.equal('/zzz')
    })
  })

  it('imports read-only directories, and names what it cannot write', async () => {
    nodefs.mkdirSync(join(source, 'a'))
    nodefs.writeFileSync(join(source, 'a/b'), 'b')
    nodefs.chmodSync(join(source, 'a'), 0o555)
    nodefs.chmodSync(source, 0o555)
    nodefs.chmodSync(root, 0o755)
    const { files, exported, recorded } = asNobody(source)

    expect(files).to.equal(1)
    expect(exported.code).to.equal('EACCES')
    expect(exported.path).to.satisfy((path: string) => path.startsWith(source))
    expect(recorded).to.deep.equal({ code: 'EACCES', left: [] })
    nodefs.chmodSync(source, 0o755)
    nodefs.chmodSync(join(source, 'a'), 0o755)
  })

  it('refuses a file in place of a directory, and the reverse', async () => {
    nodefs.writeFileSync(join(root, 'file'), '')

    await expect(importDirectory(fs, join(root, 'file'))).to.eventually.be.rejected.with.include({ code: 'ENOTDIR' })
    await expect(importDirectory(fs, join(root, 'nothing'))).to.eventually.be.rejected.with.include({ code: 'ENOENT' })
    await expect(exportDirectory(memoryFs(), join(root, 'file'))).to.eventually.be.rejected.with.include({ code: 'EEXIST' })
  })
})

interface NobodysResults {
  files: number
  exported: { code: string, path: string }
  recorded: { code: string, left: string[] }
}

/** Root may write everywhere, so another user has to try. */
function asNobody (source: string): NobodysResults {
  return JSON.parse(inChildOfNobody(`
    const source = ${JSON.stringify(source)}
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const { files } = await importDirectory(fs, source)
    await fs.addAll([{ path: '/a/c', content: 'c' }])
    const { code, path } = await exportDirectory(fs, source, { update: 'content' }).catch(error => error)
    const other = dagfs({ blockstore: new MemoryBlockstore() })
    const refusal = await importDirectory(other, source, { record: source + '/record' }).catch(error => error)
    console.log(JSON.stringify({ files, exported: { code, path }, recorded: { code: refusal.code, left: await paths(other) } }))
  `))
}

/** The name of the error that another process gets which opens a pack store for writing */
function otherWriter (directory: string): string {
  const script = `
    const { PackBlockstore } = await import(${JSON.stringify(childFile(import.meta.url, '../../../src/pack/index'))})

    await new PackBlockstore(${JSON.stringify(directory)}).open().catch(({ name }) => { process.stdout.write(name) })
  `

  return execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], { encoding: 'utf8', timeout: 60_000 })
}
