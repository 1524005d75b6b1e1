import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { checkLinkTarget } from '../../../src/adapters/host/host-names.ts'
import { exportDirectory, importDirectory } from '../../../src/adapters/host/index.ts'
import { createBlock, dagCborCode, rawCode } from '../../../src/codec/index.ts'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { memoryFs, openDescriptors, smallDisk, temporaryDirectory } from './host.ts'
import { exportHostile, hostileTree } from './hostile-trees.ts'
import type { DagFs } from '../../../src/index.ts'
import '../../seed.ts'

describe('adapters/host/export', () => {
  let root: string
  let target: string
  let remove: () => void
  let fs: DagFs

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
    target = join(root, 'target')
    fs = memoryFs()
  })

  afterEach(() => {
    remove()
  })

  /** Everything below the target: path and kind. Node's own recursive listing follows links. */
  function found (below = ''): string[] {
    return nodefs.readdirSync(join(target, below), { withFileTypes: true }).flatMap(entry => {
      const path = `${below}/${entry.name}`

      if (entry.isDirectory()) {
        return [`${path}/`, ...found(path)]
      }

      return entry.isSymbolicLink() ? `${path}@` : path
    }).sort()
  }

  it('writes what was imported, with modes and times', async () => {
    const source = join(root, 'source')
    nodefs.mkdirSync(join(source, 'a/empty'), { recursive: true })
    nodefs.writeFileSync(join(source, 'a/large'), new Uint8Array(3_000_000).fill(5))
    nodefs.writeFileSync(join(source, '.hidden'), '')
    nodefs.writeFileSync(join(source, '\ufeffmark \u{1f600}'), 'x')
    nodefs.symlinkSync('../.hidden', join(source, 'a/link'))
    nodefs.chmodSync(join(source, 'a/large'), 0o640)
    nodefs.chmodSync(join(source, 'a/empty'), 0o500)
    nodefs.utimesSync(join(source, 'a'), 1_000_000, 1_000_000.5)
    await importDirectory(fs, source, { mode: true, mtime: true })

    expect(await exportDirectory(fs, target)).to.deep.equal({ files: 3, directories: 2, symlinks: 1, bytes: 3_000_001, skipped: [] })
    expect(execFileSync('diff', ['-r', '--no-dereference', source, target]).toString()).to.equal('')
    expect(nodefs.statSync(join(target, 'a/large')).mode & 0o7777).to.equal(0o640)
    expect(nodefs.statSync(join(target, 'a/empty')).mode & 0o7777).to.equal(0o500)
    expect(nodefs.statSync(join(target, 'a')).mtimeMs).to.equal(1_000_000_500)
  })

  it('gives a new target the attributes of the root or snapshot', async () => {
    const source = join(root, 'source')
    nodefs.mkdirSync(source, { mode: 0o750 })
    nodefs.utimesSync(source, 1_000_000, 1_000_000.5)
    const { attributes } = await importDirectory(fs, source, { mode: true, mtime: true })
    const { cid } = await fs.snapshot({ attributes })
    const there = join(root, 'there')
    nodefs.mkdirSync(there, { mode: 0o700 })
    await exportDirectory(fs.at(cid), target)
    await exportDirectory(fs.at(cid), there)

    expect(nodefs.statSync(target).mode & 0o7777).to.equal(0o750)
    expect(nodefs.statSync(target).mtimeMs).to.equal(1_000_000_500)
    expect(nodefs.statSync(there).mode & 0o7777).to.equal(0o700)
  })

  it('gives the target the attributes of the exported directory', async () => {
    await fs.addAll([{ path: '/a', kind: 'directory', mode: 0o750 }])
    await exportDirectory(fs, target, { from: '/a' })

    expect(nodefs.statSync(target).mode & 0o7777).to.equal(0o750)
  })

  it('writes what imports to the same root again', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(text => !/[/\0]/.test(text) && text !== '.' && text !== '..' && text.isWellFormed())
    const file = fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.uint8Array({ maxLength: 4_000 }))

    await fc.assert(fc.asyncProperty(fc.array(file, { maxLength: 20 }), async files => {
      const [exported, imported] = [memoryFs(), memoryFs()]

      for (const [names, content] of files) {
        // a name may be a directory of one file and the name of another
        await exported.addAll([{ path: `/${names.map((it, i) => i < names.length - 1 ? `d${it}`.slice(0, 60) : `f${it}`).join('/')}`, content }])
      }

      await exportDirectory(exported, target)
      await importDirectory(imported, target)
      nodefs.rmSync(target, { recursive: true })

      expect(String((await imported.commit()).root)).to.equal(String((await exported.commit()).root))
    }), { numRuns: 30 })
  })

  it('exports a directory below the root', async () => {
    await fs.addAll([{ path: '/a/b/c', content: 'c' }, { path: '/d', content: 'd' }])
    await exportDirectory(fs, target, { from: '/a' })

    expect(found()).to.deep.equal(['/b/', '/b/c'])
  })

  it('refuses a file and a missing path, and creates nothing', async () => {
    await fs.addAll([{ path: '/a', content: 'a' }])

    await expect(exportDirectory(fs, target, { from: '/a' })).to.eventually.be.rejected.with.include({ code: 'ENOTDIR', path: '/a' })
    await expect(exportDirectory(fs, target, { from: '/b' })).to.eventually.be.rejected.with.include({ code: 'ENOENT', path: '/b' })
    expect(nodefs.existsSync(target)).to.equal(false)
  })

  it('drops setuid, setgid and sticky', async () => {
    await fs.addAll([{ path: '/a', content: 'a', mode: 0o6755 }, { path: '/d', kind: 'directory', mode: 0o3777 }])
    await exportDirectory(fs, target)

    expect(nodefs.statSync(join(target, 'a')).mode & 0o7777).to.equal(0o755)
    expect(nodefs.statSync(join(target, 'd')).mode & 0o7777).to.equal(0o777)
  })

  it('reads ahead little in a tree of a thousand levels of one block', async () => {
    const blockstore = new MemoryBlockstore()
    const content = await createBlock(rawCode, new Uint8Array(2 ** 16))
    await blockstore.put(content.cid, content.bytes)
    // every directory has the next level before its files
    const files = Array.from('bcdefghijklmnopq', name => [name, 'f', content.cid, 2 ** 16])
    let items = files

    for (let level = 1; level <= 1_000; level++) {
      const { cid, bytes } = await createBlock(dagCborCode, dagCbor.encode({ dir: items }))
      await blockstore.put(cid, bytes)
      items = [['a', 'd', cid, level * files.length * 2 ** 16], ...files]
    }

    const { cid, bytes } = await createBlock(dagCborCode, dagCbor.encode({ dir: items }))
    await blockstore.put(cid, bytes)
    const hostile = dagfs({ blockstore }, { root: cid })
    let [read, written, most] = [0, 0, 0]
    const readFile = hostile.readFile.bind(hostile)
    Object.assign(hostile, {
      async readFile (path: string, options?: { signal?: AbortSignal }) {
        const file = await readFile(path, options)
        read += file.byteLength
        most = Math.max(most, read - written)

        return file
      }
    })

    await expect(exportDirectory(hostile, target, {
      maxBytes: 2 ** 21,
      onProgress: ({ detail }) => { written = detail.bytes }
    })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')

    expect(nodefs.existsSync(join(target, ...Array.from({ length: 1_000 }, () => 'a'), 'q'))).to.equal(true)
    expect(most).to.be.within(2 ** 20, 2 ** 24)
  }).timeout(60_000)

  it('sets no mode and no time if disabled', async () => {
    await fs.addAll([{ path: '/a', content: 'a', mode: 0o777, mtime: [1, 0] }])
    await exportDirectory(fs, target, { mode: false, mtime: false })

    expect(nodefs.statSync(join(target, 'a')).mode & 0o111).to.equal(0)
    expect(nodefs.statSync(join(target, 'a')).mtimeMs).to.be.above(1_000_000)
  })

  describe('a private file', () => {
    const bits = (...names: string[]): number => nodefs.statSync(join(target, ...names)).mode & 0o777
    let umask: number

    beforeEach(async () => {
      umask = process.umask(0)
      await fs.addAll([
        { path: '/secret', kind: 'directory', mode: 0o750 },
        { path: '/secret/key', content: new Uint8Array(9 * 2 ** 20).fill(7), mode: 0o640 },
        { path: '/secret/locked', content: 'locked', mode: 0o400 },
        { path: '/secret/open', content: 'open' }
      ])
    })

    afterEach(() => {
      process.umask(umask)
    })

    /** The same tree, of which somebody looks at the host while a large file is written. */
    function watched (look: () => void): DagFs {
      const cat = fs.cat.bind(fs)

      return Object.assign(fs, {
        async * cat (...parameters: Parameters<DagFs['cat']>) {
          look()
          yield * cat(...parameters)
          look()
        }
      })
    }

    it('is readable by its owner alone until it is written, then gets its mode', async () => {
      const seen = new Set<string>()
      await exportDirectory(watched(() => { seen.add([bits('secret'), bits('secret/key')].map(it => it.toString(8)).join()) }), target)

      expect([...seen]).to.deep.equal(['700,600'])
      expect([bits('secret'), bits('secret/key'), bits('secret/locked'), bits('secret/open')]).to.deep.equal([0o750, 0o640, 0o400, 0o666])
    })

    it('is protected in the same way if it is the target itself', async () => {
      const seen = new Set<number>()
      await exportDirectory(watched(() => { seen.add(bits()) }), target, { from: '/secret' })

      expect([...seen]).to.deep.equal([0o700])
      expect(bits()).to.equal(0o750)
    })

    it('gets its recorded mode when the export fails or is aborted', async () => {
      const controller = new AbortController()
      await expect(exportDirectory(watched(() => { controller.abort(new Error('enough')) }), target, { signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')

      expect(bits('secret')).to.equal(0o750)
      expect(nodefs.readdirSync(join(target, 'secret'))).to.deep.equal([])
    })
  })

  it('shows its signature when arguments are wrong', async () => {
    for (const [first, second, option] of [[fs, undefined, 'target'], [target, fs, 'fs']] as const) {
      await expect(exportDirectory(first as never, second as never)).to.eventually.be.rejectedWith('exportDirectory(fs, target, options)')
        .with.include({ name: 'InvalidOptionError', option })
    }
  })

  it('reports progress', async () => {
    await fs.addAll([{ path: '/a/b', content: 'four' }])
    const told: unknown[] = []
    await exportDirectory(fs, target, { onProgress: event => told.push([event.type, event.detail]) })

    expect(told).to.deep.equal([
      ['dagfs:export:progress', { entries: 2, bytes: 4 }],
      ['dagfs:export:progress', { entries: 2, bytes: 4 }]
    ])
  })

  describe('an existing entry', () => {
    beforeEach(async () => {
      nodefs.mkdirSync(target)
      await fs.addAll([{ path: '/a/b', content: 'new' }])
    })

    it('is not overwritten: a file is EEXIST', async () => {
      nodefs.mkdirSync(join(target, 'a'))
      nodefs.writeFileSync(join(target, 'a/b'), 'old')

      await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ code: 'EEXIST', path: join(target, 'a/b') })
      expect(nodefs.readFileSync(join(target, 'a/b'), 'utf8')).to.equal('old')
    })

    it('is not followed: a link at a file is EEXIST', async () => {
      nodefs.mkdirSync(join(target, 'a'))
      nodefs.symlinkSync(join(root, 'outside'), join(target, 'a/b'))

      await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ code: 'EEXIST' })
      expect(nodefs.existsSync(join(root, 'outside'))).to.equal(false)
    })

    it('is not followed: a link at a directory is EEXIST', async () => {
      nodefs.mkdirSync(join(root, 'outside'))
      nodefs.symlinkSync(join(root, 'outside'), join(target, 'a'))

      await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ code: 'EEXIST', path: join(target, 'a') })
      expect(nodefs.readdirSync(join(root, 'outside'))).to.deep.equal([])
    })

    it('keeps its mode and time if it is a directory', async () => {
      await fs.addAll([{ path: '/private', kind: 'directory', mode: 0o755, mtime: [1_000_000, 0] }, { path: '/private/new', content: 'new' }])
      nodefs.mkdirSync(join(target, 'private'), { recursive: true })
      nodefs.chmodSync(join(target, 'private'), 0o700)
      nodefs.writeFileSync(join(target, 'private/secret'), 'secret')
      await exportDirectory(fs, target)
      const { mode, mtimeMs } = nodefs.statSync(join(target, 'private'))

      expect(found()).to.deep.equal(['/a/', '/a/b', '/private/', '/private/new', '/private/secret'])
      expect((mode & 0o777).toString(8)).to.equal('700')
      expect(mtimeMs).to.be.above(1_000_000_000)
    })

    it('is kept if the tree does not have it', async () => {
      nodefs.mkdirSync(join(target, 'a'))
      nodefs.writeFileSync(join(target, 'a/other'), '')
      await exportDirectory(fs, target)

      expect(found()).to.deep.equal(['/a/', '/a/b', '/a/other'])
    })
  })

  describe('a link that may lead out of the target', () => {
    const leaving: Array<[path: string, to: string]> = [
      ['/a', '/etc/passwd'],
      ['/a', '..'],
      ['/a', './../x'],
      ['/d/a', '../../x'],
      ['/d/e/a', '../../../x'],
      ['/a', 'd/../..'],
      // inside by its segments, outside where d/up is a link to the target itself
      ['/a', 'd/up/../..']
    ]

    leaving.forEach(([path, to]) => {
      it(`from ${path} to ${to} is refused, naming it`, async () => {
        await fs.addAll([{ path: '/d/up', kind: 'symlink', target: '..' }, { path, kind: 'symlink', target: to }])

        await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path })
      })
    })

    it('is skipped and reported if asked to', async () => {
      await fs.addAll([{ path: '/a', kind: 'symlink', target: '/etc/passwd' }, { path: '/b', content: 'b' }])
      const { skipped, symlinks } = await exportDirectory(fs, target, { onUnsupported: 'skip' })

      expect(symlinks).to.equal(0)
      expect(skipped.map(({ path, error }) => [path, error.name])).to.deep.equal([['/a', 'UnsupportedEntryError']])
      expect(found()).to.deep.equal(['/b'])
    })

    it('is written if it stays inside', async () => {
      await fs.addAll([{ path: '/d/e/a', kind: 'symlink', target: '../../b' }, { path: '/b', content: 'b' }, { path: '/self', kind: 'symlink', target: '.' }])
      await exportDirectory(fs, target)

      expect(nodefs.readFileSync(join(target, 'd/e/a'), 'utf8')).to.equal('b')
      expect(found()).to.deep.equal(['/b', '/d/', '/d/e/', '/d/e/a@', '/self@'])
    })

    it('is refused if it names a drive or share on Windows', () => {
      for (const to of ['C:\\x', 'C:x', '\\\\server\\share', '..\\x', '\\x']) {
        expect(() => checkLinkTarget(to, 0, '/a', { isWindows: true, ignoresCase: true })).to.throw().with.include({ name: 'UnsupportedEntryError', path: '/a' })
      }
    })
  })

  it('writes nothing outside the target and follows no link, for any tree', async () => {
    await fc.assert(fc.asyncProperty(hostileTree, async tree => exportHostile(root, tree)), { numRuns: 300 })
  }).timeout(120_000)

  describe('a name that some host cannot hold', () => {
    ['CON', 'aux.txt', 'com1', 'LPT9.log', 'a:b', 'a?', 'a\\b', 'a<b', 'trailing.', 'trailing ', 'bell\u0007'].forEach(name => {
      it(`such as ${JSON.stringify(name)} is refused if portable, naming it`, async () => {
        await fs.addAll([{ path: `/${name}`, content: '' }])

        await expect(exportDirectory(fs, target, { names: 'portable' })).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: `/${name}` })
      })
    })

    const colliding: Array<[a: string, b: string]> = [['README', 'readme'], ['é', 'e\u0301'], ['straße', 'STRASSE']]

    colliding.forEach(([a, b]) => {
      it(`such as ${b} beside ${a} is refused if portable`, async () => {
        await fs.addAll([{ path: `/${a}`, content: '' }, { path: `/${b}`, content: '' }])

        await expect(exportDirectory(fs, target, { names: 'portable' })).to.eventually.be.rejected.with.property('name', 'UnsupportedEntryError')
      })
    })

    it('is written without `portable` if this host can hold it', async () => {
      await fs.addAll([{ path: '/README', content: '' }, { path: '/readme', content: '' }, { path: '/aux', content: '' }])
      await exportDirectory(fs, target)

      expect(found()).to.deep.equal(['/README', '/aux', '/readme'])
    })
  })

  describe('an endless tree', () => {
    /** 40 directories of two entries each, both the one below: 2^40 paths in 40 blocks. */
    async function bomb (): Promise<DagFs> {
      const { createBlock, dagCborCode, encodeEntry, encodeLeaf } = await import('../../../src/codec/index.ts')
      const blockstore = new MemoryBlockstore()
      let block = await createBlock(dagCborCode, encodeLeaf([]))
      await blockstore.put(block.cid, block.bytes)

      for (let i = 0; i < 40; i++) {
        const content = block.cid
        block = await createBlock(dagCborCode, encodeLeaf(['a', 'b'].map(name => encodeEntry({ name, kind: 'directory', content, size: 0 }))))
        await blockstore.put(block.cid, block.bytes)
      }

      return dagfs({ blockstore }, { root: block.cid })
    }

    it('is refused after maxEntries entries', async () => {
      await expect(exportDirectory(await bomb(), target, { maxEntries: 1_000 })).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
      expect(found()).to.have.length.below(1_001)
    })
  })

  it('fails after maxBytes bytes, naming the file', async () => {
    await fs.addAll([{ path: '/a', content: 'a' }, { path: '/b', content: 'bb' }])

    await expect(exportDirectory(fs, target, { maxBytes: 2 })).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', path: '/b' })
    expect(found()).to.deep.equal(['/a'])
  })

  it('exports no more of a growing file than its listed size', async () => {
    await fs.addAll([{ path: '/large', content: new Uint8Array(100_000) }, { path: '/small', content: 'small' }])
    const growing = Object.assign(Object.create(fs), {
      async * ls (...parameters: Parameters<DagFs['ls']>) {
        for await (const entry of fs.ls(...parameters)) {
          await fs.appendFile(entry.path, new Uint8Array(900_000))
          yield entry
        }
      },
      cat: fs.cat.bind(fs),
      stat: fs.stat.bind(fs),
      readFile: fs.readFile.bind(fs)
    })
    const { bytes } = await exportDirectory(growing, target, { maxBytes: 200_000 })

    expect(bytes).to.equal(100_005)
    expect(['large', 'small'].map(name => nodefs.statSync(join(target, name)).size)).to.deep.equal([100_000, 5])
  })

  it('leaves no partial file and no open descriptor after a failure or abort', async () => {
    const blockstore = new MemoryBlockstore()
    const broken = dagfs({ blockstore })
    const content = Uint8Array.from({ length: 9 * 2 ** 20 }, (_, i) => i >> 20)
    await broken.addAll([{ path: '/large', content }])
    const { root: tree } = await broken.commit()
    const before = openDescriptors(nodefs)
    const controller = new AbortController()
    let pieces = 0
    const slow = Object.assign(broken.at(tree), {
      async * cat (...parameters: Parameters<DagFs['cat']>) {
        for await (const piece of broken.at(tree).cat(...parameters)) {
          if (++pieces === 3) {
            controller.abort(new Error('enough'))
          }

          yield piece
        }
      }
    })

    await expect(exportDirectory(slow, target, { signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(found()).to.deep.equal([])

    const { createBlock, rawCode } = await import('../../../src/codec/index.ts')
    const last = await createBlock(rawCode, new Uint8Array(2 ** 20).fill(8))
    await blockstore.delete(last.cid)
    await expect(exportDirectory(broken.at(tree), target)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
    expect(found()).to.deep.equal([])
    expect(openDescriptors(nodefs)).to.equal(before)
  })

  it('removes the file that did not fit on a full disk, and names it', async () => {
    const undo = smallDisk(target, nodefs)

    try {
      // pieces of 10,000 bytes, which are written at once
      fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout: { ...dagfs1, chunker: fixedSize(10_000) } })
      await fs.addAll([{ path: '/a', content: 'fits' }, { path: '/b', content: new Uint8Array(3 * 2 ** 20).fill(1) }])

      await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ code: 'ENOSPC', path: join(target, 'b') })
      expect(found()).to.deep.equal(['/a'])
    } finally {
      undo()
    }
  })
})
