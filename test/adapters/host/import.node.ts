import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { IgnoreRules } from '../../../src/adapters/host/ignore-rules.ts'
import { importDirectory, previewImport } from '../../../src/adapters/host/index.ts'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import { abortedInTurn, memoryFs, paths, temporaryDirectory, walked } from './host.ts'
import type { ImportOptions, TransferProgress } from '../../../src/adapters/host/index.ts'
import type { DagFs } from '../../../src/index.ts'

const mebibyte = 2 ** 20

describe('adapters/host/import', () => {
  let source: string
  let remove: () => void
  let fs: DagFs

  beforeEach(() => {
    ({ path: source, remove } = temporaryDirectory())
    fs = memoryFs()
  })

  afterEach(() => {
    remove()
  })

  function write (path: string, content: string | Uint8Array = path): void {
    nodefs.mkdirSync(join(source, path, '..'), { recursive: true })
    nodefs.writeFileSync(join(source, path), content)
  }

  it('passes a store only the signal, not the options of the import', async () => {
    const given = new Set<string>()
    const blockstore = new class extends MemoryBlockstore {
      override get (...[cid, options]: Parameters<MemoryBlockstore['get']>): ReturnType<MemoryBlockstore['get']> {
        Object.keys(options ?? {}).forEach(key => { given.add(key) })

        return super.get(cid, options)
      }
    }()
    const named = { name: 'main', roots: memoryRoots() }
    const first = dagfs({ blockstore }, named)
    write('file')
    await importDirectory(first, source)
    await first.commit()
    given.clear()
    await importDirectory(dagfs({ blockstore }, named), source, { onProgress: () => {} })

    expect([...given]).to.deep.equal(['signal'])
  })

  it('shows its signature when arguments are wrong', async () => {
    for (const [first, second, option] of [[fs, undefined, 'source'], [source, fs, 'fs'], [undefined, undefined, 'fs']] as const) {
      const expected = { name: 'InvalidOptionError', option }

      await expect(importDirectory(first as never, second as never)).to.eventually.be.rejectedWith('importDirectory(fs, source, options)').with.include(expected)
      await expect(all(previewImport(first as never, second as never))).to.eventually.be.rejectedWith('previewImport(fs, source, options)').with.include(expected)
    }
  })

  it('imports files, empty directories and links, and counts them', async () => {
    write('a/b.txt', 'b')
    write('.hidden')
    write('large', new Uint8Array(3 * mebibyte + 5).fill(7))
    nodefs.mkdirSync(join(source, 'empty'))
    nodefs.symlinkSync('a/b.txt', join(source, 'link'))
    nodefs.symlinkSync('/nowhere', join(source, 'broken'))
    nodefs.symlinkSync('..', join(source, 'a/loop'))

    const report = await importDirectory(fs, source)

    expect(report).to.deep.equal({ files: 3, directories: 2, symlinks: 3, bytes: 3 * mebibyte + 5 + 1 + 7, skipped: [] })
    expect(await paths(fs)).to.deep.equal(['/.hidden', '/a', '/a/b.txt', '/a/loop', '/broken', '/empty', '/large', '/link'])
    expect(await fs.readFile('/large')).to.deep.equal(new Uint8Array(3 * mebibyte + 5).fill(7))
    expect(await fs.readFile('/a/loop/link', 'utf8')).to.equal('b')
  })

  const fileSizes = [0, 1, 2_048, 2_049, mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte, 2 * mebibyte + 1]

  fileSizes.forEach(bytes => {
    it(`imports a file of ${bytes} bytes as adding its content does`, async () => {
      const content = Uint8Array.from({ length: bytes }, (_, i) => i % 251)
      write('file', content)
      await importDirectory(fs, source)
      const added = memoryFs()
      await added.addAll([{ path: '/file', content }])

      expect(String((await fs.commit()).root)).to.equal(String((await added.commit()).root))
    })
  })

  it('adds nothing deeper than the limit of tree levels', async () => {
    write('b/c/d/file')
    nodefs.mkdirSync(join(source, 'a'))
    const deep = '/d'.repeat(1_020)
    await importDirectory(fs, source, { to: deep })
    expect(await fs.readdir(`${deep}/b/c/d`)).to.deep.equal(['file'])

    for (const [to, what] of [['/e'.repeat(1_021), 'b/c/d/file'], ['/e'.repeat(1_024), 'a'], ['/e'.repeat(1_025), '']] as const) {
      await expect(importDirectory(fs, source, { to })).to.eventually.be.rejected.and.include({ name: 'FileSystemError', code: 'ENAMETOOLONG' })
        .with.property('path').that.include(what)
    }

    expect(await all(fs.walk('/'))).to.have.lengthOf(1_020 + 5)
  })

  it('puts the content below `to`', async () => {
    write('a/b')
    await importDirectory(fs, source, { to: 'x/y/' })

    expect(await paths(fs)).to.deep.equal(['/x', '/x/y', '/x/y/a', '/x/y/a/b'])
  })

  it('creates the target for an empty directory', async () => {
    await importDirectory(fs, source, { to: '/x' })

    expect(await paths(fs)).to.deep.equal(['/x'])
  })

  it('skips dotfiles if asked to', async () => {
    write('.git/config')
    write('a/.env')
    write('a/b')
    await importDirectory(fs, source, { hidden: false })

    expect(await paths(fs)).to.deep.equal(['/a', '/a/b'])
  })

  it('skips what patterns match', async () => {
    write('node_modules/x/index.js')
    write('src/index.ts')
    write('src/index.js')
    write('src/keep.js')
    await importDirectory(fs, source, { ignore: ['node_modules/', '*.js', '!keep.js'] })

    expect(await paths(fs)).to.deep.equal(['/src', '/src/index.ts', '/src/keep.js'])
  })

  it('obeys ignore files, inner ones before outer ones', async () => {
    write('.gitignore', '*.log\n/build\n')
    write('a.log')
    write('build/x')
    write('sub/build/x')
    write('sub/.gitignore', '!important.log\n')
    write('sub/important.log')
    write('sub/other.log')
    await importDirectory(fs, source, { ignoreFiles: ['.gitignore'] })

    expect(await paths(fs)).to.deep.equal(['/.gitignore', '/sub', '/sub/.gitignore', '/sub/build', '/sub/build/x', '/sub/important.log'])
  })

  it('ignores the same files as git', async () => {
    write('.gitignore', 'dist\n*.tmp\n!/keep.tmp\ndoc/**/*.pdf\n')
    for (const path of ['dist/a', 'a/dist/b', 'x.tmp', 'keep.tmp', 'a/keep.tmp', 'doc/x.pdf', 'doc/a/b/y.pdf', 'doc/z.txt', 'a/.gitignore', 'a/z']) {
      write(path, path.endsWith('.gitignore') ? '!x.tmp\nz\n' : path)
    }
    write('a/x.tmp')
    // case counts, and a byte order mark does not, whichever of the rules it is before
    write('case/.gitignore', '\ufeffsecret\nBuild\n*.LOG\n')
    for (const path of ['secret', 'Secret', 'build/x', 'Build/x', 'a.log', 'a.LOG', '\ufeffsecret']) {
      write(`case/${path}`)
    }
    execFileSync('git', ['init', '-q', source])
    const kept = execFileSync('git', ['-C', source, 'ls-files', '--others', '--exclude-standard', '-z']).toString().split('\0').filter(path => path !== '')
    await importDirectory(fs, source, { ignore: ['.git/'], ignoreFiles: ['.gitignore'] })
    const imported = (await walked(fs)).filter(({ kind }) => kind === 'file').map(({ path }) => path.slice(1))

    expect(imported.sort()).to.deep.equal(kept.sort())
  })

  it('skips a byte order mark at the start of each ignore file', async () => {
    write('.gitignore', 'a\n')
    write('.ignore', '\ufeffb\n')
    write('a')
    write('b')
    await importDirectory(fs, source, { ignoreFiles: ['.gitignore', '.ignore'], hidden: false })

    expect(await paths(fs)).to.deep.equal([])
  })

  it('records no mode and no time by default', async () => {
    write('a/b')
    await importDirectory(fs, source)

    for (const entry of await walked(fs)) {
      expect(entry).to.not.have.any.keys('mode', 'mtime')
    }
  })

  it('records modes, and times to the nanosecond, if asked to', async () => {
    write('dir/file')
    nodefs.symlinkSync('dir', join(source, 'link'))
    execFileSync('touch', ['-d', '1969-12-31 23:59:58.123456789Z', join(source, 'dir/file')])
    nodefs.chmodSync(join(source, 'dir/file'), 0o4751)
    nodefs.chmodSync(join(source, 'dir'), 0o750)
    await importDirectory(fs, source, { mode: true, mtime: true })

    expect((await fs.stat('/dir/file')).attributes).to.deep.equal({ mode: 0o4751, mtime: [-2, 123_456_789] })
    expect((await fs.stat('/dir')).attributes).to.include({ mode: 0o750 }).and.to.have.property('mtime')
    const [, , link] = await walked(fs)
    expect(link).to.have.property('mtime')
    expect(link).to.not.have.property('mode')
  })

  it('records the attributes of the directory that a link leads to', async () => {
    nodefs.chmodSync(source, 0o750)
    const link = `${source}-link`
    nodefs.symlinkSync(source, link)

    try {
      const { attributes } = await importDirectory(fs, link, { mode: true })
      await importDirectory(fs, link, { mode: true, to: '/site' })

      expect(attributes).to.deep.equal({ mode: 0o750 })
      expect((await fs.stat('/site')).mode & 0o7777).to.equal(0o750)
    } finally {
      nodefs.unlinkSync(link)
    }
  })

  it('reports progress and the total', async () => {
    write('a/b', 'four')
    write('a/c', new Uint8Array(2 * mebibyte))
    const told: TransferProgress[] = []
    await importDirectory(fs, source, { onProgress: event => told.push(event.detail) })
    const total = { totalEntries: 3, totalBytes: 2 * mebibyte + 4 }

    expect(told).to.deep.equal([
      { entries: 1, bytes: 0, ...total },
      { entries: 2, bytes: 4, ...total },
      { entries: 3, bytes: 2 * mebibyte + 4, ...total }
    ])
  })

  const ignoring: Array<[what: string, options: ImportOptions]> = [
    ['imports', {}],
    ['counts what there is', { onProgress: () => {} }],
    ['looks for what is gone', { delete: true }]
  ]

  ignoring.forEach(([what, options]) => {
    it(`yields to the event loop, and aborts, between ignored names while it ${what}`, async () => {
      for (let i = 0; i < 40; i++) {
        write(`${i}.log`)
      }

      const { ignores } = IgnoreRules.prototype
      let names = 0

      // each takes longer than the event loop is to wait
      IgnoreRules.prototype.ignores = function (...parameters) {
        const began = performance.now()
        names++

        while (performance.now() < began + 15) {
          // what takes so long is of no matter
        }

        return ignores.apply(this, parameters)
      }

      try {
        await expect(importDirectory(fs, source, { ...options, ignore: ['*.log'], signal: abortedInTurn(12) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      } finally {
        IgnoreRules.prototype.ignores = ignores
      }

      expect(names).to.be.within(1, 20)
    })
  })
})
