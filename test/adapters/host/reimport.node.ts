import assert from 'node:assert'
import { execFileSync, spawnSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { factsOf } from '../../../src/adapters/host/facts.ts'
import { ImportPlan } from '../../../src/adapters/host/import-plan.ts'
import { ImportRecord } from '../../../src/adapters/host/import-record.ts'
import { importDirectory, previewImport } from '../../../src/adapters/host/index.ts'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { adapterApiOf } from '../../../src/fs/index.ts'
import { dagfs, dagfs1 } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { below, random, seed } from '../../seed.ts'
import { abortedInTurn, inAnHour, memoryFs, paths, temporaryDirectory } from './host.ts'
import type { ImportOptions, ImportReport } from '../../../src/adapters/host/index.ts'
import type { DagFs } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

describe('adapters/host/reimport', () => {
  let root: string
  let source: string
  let record: string
  let remove: () => void
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
    source = join(root, 'source')
    record = join(root, 'record')
    nodefs.mkdirSync(source)
    blockstore = new MemoryBlockstore()
    fs = dagfs({ blockstore })
  })

  afterEach(() => {
    remove()
  })

  function write (path: string, content: string | Uint8Array = path): void {
    nodefs.mkdirSync(join(source, path, '..'), { recursive: true })
    nodefs.writeFileSync(join(source, path), content)
  }

  /** Imports as if what is on the disk had been there for an hour. */
  async function later (options: ImportOptions = {}, into = fs): Promise<ImportReport> {
    return inAnHour(async () => importDirectory(into, source, { record, ...options }))
  }

  async function rootOf (of = fs): Promise<string> {
    return String((await of.commit()).root)
  }

  /** The root of an import into nothing. */
  async function coldRoot (options: ImportOptions = {}): Promise<string> {
    const cold = memoryFs()
    await importDirectory(cold, source, options)

    return rootOf(cold)
  }

  function writeSome (): void {
    write('a/one', 'one')
    // whole seconds, which can be put back
    nodefs.utimesSync(join(source, 'a/one'), 1_000_000, 1_000_000)
    write('a/b/two', new Uint8Array(5_000).fill(2))
    write('large', Uint8Array.from({ length: 3 * 2 ** 20 }, (_, i) => i >> 18))
    nodefs.mkdirSync(join(source, 'empty'))
    nodefs.symlinkSync('a/one', join(source, 'link'))
  }

  it('reads no file that is as it was, opens none, puts nothing, and counts all as before', async () => {
    writeSome()
    const { unread, ...first } = await later()
    const { root: cid } = await fs.commit()
    expect(unread).to.equal(0)

    const { openSync } = nodefs
    const { put } = blockstore
    const touched: string[] = []
    nodefs.openSync = (...parameters) => {
      touched.push(String(parameters[0]))
      return openSync(...parameters)
    }
    blockstore.put = (key: CID) => {
      touched.push(String(key))
      return key
    }

    try {
      const { unread: unreadAgain, ...again } = await later()
      expect(unreadAgain).to.equal(3)
      expect(again).to.deep.equal(first)
      expect(await rootOf()).to.equal(String(cid))
      expect(touched.filter(path => path !== record)).to.deep.equal([])
    } finally {
      nodefs.openSync = openSync
      blockstore.put = put
    }
  })

  it('tells how far it is also by what it need not read', async () => {
    writeSome()
    await later()
    const told: number[][] = []
    await later({ onProgress: ({ detail }) => told.push([detail.entries, detail.bytes]) })

    expect(told.at(-1)).to.deep.equal([7, 3 * 2 ** 20 + 5_003])
    expect(told).to.have.lengthOf(7)
  })

  const changes: Array<[what: string, change: () => void]> = [
    ['has another content', () => { write('a/one', 'two') }],
    ['has another size', () => { nodefs.appendFileSync(join(source, 'a/one'), 'more') }],
    ['has another content of the same size and mtime', () => {
      write('a/one', 'eno')
      nodefs.utimesSync(join(source, 'a/one'), 1_000_000, 1_000_000)
    }],
    ['is another file of the same size and mtime', () => {
      write('other', 'eno')
      nodefs.utimesSync(join(source, 'other'), 1_000_000, 1_000_000)
      nodefs.renameSync(join(source, 'other'), join(source, 'a/one'))
    }]
  ]

  changes.forEach(([what, change]) => {
    it(`reads a file that ${what}, and no other`, async () => {
      writeSome()
      await later()
      await fs.commit()
      change()

      expect((await later()).unread).to.equal(2)
      expect(await rootOf()).to.equal(await coldRoot())
      expect((await later()).unread).to.equal(3)
    })
  })

  describe('the facts of a file', () => {
    const old = { size: 3n, mtimeNs: 5n, ctimeNs: 6n, ino: 7n }
    const others: Array<Partial<typeof old>> = [{ size: 4n }, { mtimeNs: 50n }, { ctimeNs: 60n }, { ino: 8n }]

    others.forEach(other => {
      it(`are others where the ${Object.keys(other).join()} alone is another`, () => {
        expect(factsOf('file', { ...old, ...other })).to.not.equal(factsOf('file', old))
      })
    })
  })

  it('reads a file again that changed shortly before it was recorded, since it could have changed once more unseen', async () => {
    writeSome()
    // now, and not in an hour
    await importDirectory(fs, source, { record })
    expect((await importDirectory(fs, source, { record })).unread).to.equal(0)
    expect((await later()).unread).to.equal(0)
    expect((await later()).unread).to.equal(3)
  })

  it('records times that are far in the future, and knows files by them', async () => {
    const far = new Date('2300-01-01')
    const sizes = { small: 2_000, medium: 3_000, large: 3 * 2 ** 20 }

    for (const [path, bytes] of Object.entries(sizes)) {
      write(path, new Uint8Array(bytes).fill(1))
      nodefs.utimesSync(join(source, path), far, far)
    }

    // not every filesystem holds such a time
    const seconds = nodefs.statSync(join(source, 'small')).mtimeMs / 1_000
    await later({ mtime: true })

    for (const path of Object.keys(sizes)) {
      expect((await fs.stat(`/${path}`)).attributes).to.deep.equal({ mtime: [seconds, 0] })
    }

    expect((await later({ mtime: true })).unread).to.equal(3)
  })

  it('records of a directory what the tree has of it, where that changes and changes back meanwhile', async () => {
    write('a/file')
    const directory = join(source, 'a')
    nodefs.chmodSync(directory, 0o755)
    const { lstatSync } = nodefs
    let looks = 0
    Object.assign(nodefs, {
      lstatSync (...parameters: Parameters<typeof lstatSync>) {
        const found = lstatSync(...parameters)

        if (parameters[0] === directory && ++looks === 1) {
          nodefs.chmodSync(directory, 0o700)
        }

        return found
      }
    })

    try {
      await later({ mode: true })
    } finally {
      Object.assign(nodefs, { lstatSync })
    }

    nodefs.chmodSync(directory, 0o755)
    await later({ mode: true })

    expect((await fs.stat('/a')).attributes).to.deep.equal({ mode: 0o755 })
    expect(await rootOf()).to.equal(await coldRoot({ mode: true }))
  })

  it('leaves out its record where that is in the directory, also where links lead to it, and what killed imports left of it', async () => {
    write('file')
    write('.record.01234567-89ab-4cde-8f01-23456789abcd.tmp')
    write('.record.mine.tmp')
    nodefs.symlinkSync('source/.record', record)

    for (let i = 0; i < 2; i++) {
      const { files } = await importDirectory(fs, source, { record, onProgress: () => {} })
      expect(files).to.equal(2)
      expect(await paths(fs)).to.deep.equal(['/.record.mine.tmp', '/file'])
    }

    expect(nodefs.lstatSync(record).isSymbolicLink()).to.equal(true)
  })

  it('does not begin where its record is a pipe, which it would wait for', async () => {
    write('file')
    execFileSync('mkfifo', [record])

    await expect(importDirectory(fs, source, { record })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'record' })
    expect(await paths(fs)).to.deep.equal([])
  })

  it('takes what is new, what is gone, and what became something else', async () => {
    writeSome()
    write('was-file')
    write('was-directory/x/y')
    await later({ delete: true })
    await fs.commit()

    write('a/new/deep/file')
    nodefs.rmSync(join(source, 'a/b'), { recursive: true })
    nodefs.rmSync(join(source, 'empty'), { recursive: true })
    nodefs.rmSync(join(source, 'was-file'))
    write('was-file/inside')
    nodefs.rmSync(join(source, 'was-directory'), { recursive: true })
    write('was-directory')
    nodefs.rmSync(join(source, 'link'))
    write('link')
    const { unread } = await later({ delete: true })

    expect(unread).to.equal(2)
    expect(await rootOf()).to.equal(await coldRoot())
    expect((await later({ delete: true })).unread).to.equal(6)
    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('leaves in the tree what is gone from the directory, unless it is told to delete', async () => {
    writeSome()
    await later()
    nodefs.rmSync(join(source, 'a'), { recursive: true })
    await later()
    expect(await paths(fs)).to.include('/a/b/two')

    await later({ delete: true })
    expect(await paths(fs)).to.deep.equal(['/empty', '/large', '/link'])
  })

  it('deletes without a record as well, below `to` alone, and what is ignored', async () => {
    writeSome()
    write('b.log')
    await fs.addAll([{ path: '/other/x', content: 'x' }, { path: '/to/gone/y', content: 'y' }, { path: '/to/b.log', content: '' }])
    await importDirectory(fs, source, { to: '/to', delete: true, ignore: ['*.log'] })

    expect(await paths(fs)).to.deep.equal(['/other', '/other/x', '/to', '/to/a', '/to/a/b', '/to/a/b/two', '/to/a/one', '/to/empty', '/to/large', '/to/link'])
  })

  it('gives the event loop turns while it looks for what is gone from a directory', async () => {
    const adapterApi = await adapterApiOf(fs)
    assert(adapterApi !== undefined)
    const plan = new ImportPlan({
      target: fs,
      adapterApi,
      to: '/',
      record: undefined,
      isRecording: false,
      recordEveryMs: 0,
      racyWindowMs: 0,
      isMirror: true,
      options: { signal: abortedInTurn(8) },
      hasAttributes: false,
      attributes: () => ({}),
      onUnchanged () {},
      onReused () {},
      isIncomplete: () => false
    })
    let looked = 0

    // each name takes longer than the event loop is to wait
    function * kinds (): Generator<[string, 'file']> {
      for (; looked < 30; looked++) {
        const began = performance.now()

        while (performance.now() < began + 15) {
          // what takes so long is of no matter
        }

        yield [`${looked}`, 'file']
      }
    }

    await expect(all(plan.steps(listed => {
      listed({ segments: [], kinds })

      return []
    }))).to.eventually.be.rejectedWith('enough')
    expect(looked).to.be.below(20)
  })

  it('deletes nothing in whose place the host has what cannot be imported', async () => {
    write('a')
    write('b/c')
    await importDirectory(fs, source, { record, delete: true })
    nodefs.rmSync(join(source, 'a'))
    nodefs.rmSync(join(source, 'b'), { recursive: true })
    execFileSync('mkfifo', [join(source, 'a'), join(source, 'b')])
    const { skipped } = await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })

    expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'a'), join(source, 'b')])
    expect(await paths(fs)).to.deep.equal(['/a', '/b', '/b/c'])
  })

  it('deletes what could not be imported once it is gone, though it never was in the record', async () => {
    write('a')
    await fs.writeFile('/b', 'of the tree')
    execFileSync('mkfifo', [join(source, 'b')])
    await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
    expect(await paths(fs)).to.deep.equal(['/a', '/b'])

    nodefs.rmSync(join(source, 'b'))
    await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('deletes nothing that is on the host and cannot be read', async () => {
    write('a')
    write('b/c')
    await importDirectory(fs, source, { record, delete: true })
    const { openSync, readdirSync } = nodefs
    const denied = Object.assign(new Error('EACCES'), { code: 'EACCES' })
    nodefs.openSync = (...parameters) => {
      if (String(parameters[0]) === join(source, 'a')) {
        throw denied
      }

      return openSync(...parameters)
    }
    nodefs.readdirSync = ((...parameters: Parameters<typeof readdirSync>) => {
      if (String(parameters[0]) === join(source, 'b')) {
        throw denied
      }

      return readdirSync(...parameters)
    }) as typeof readdirSync

    try {
      const { skipped } = await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
      expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'a'), join(source, 'b')])
    } finally {
      Object.assign(nodefs, { openSync, readdirSync })
    }

    expect(await paths(fs)).to.deep.equal(['/a', '/b', '/b/c'])
  })

  it('puts what the directory has in the place of what was edited in the tree', async () => {
    writeSome()
    await later({ delete: true })
    const { root: cid } = await fs.commit()
    await fs.writeFile('/a/one', 'edited')
    await fs.writeFile('/a/b/more', 'edited')
    await fs.rm('/large')
    const { unread } = await later({ delete: true })

    expect(unread).to.equal(3)
    expect(await rootOf()).to.equal(String(cid))
  })

  describe('of a tree that is another than was recorded', () => {
    it('is a record of what that tree has, and not of what the one before had', async () => {
      writeSome()
      await later()
      await fs.commit()
      await fs.rm('/a', { recursive: true })
      await later({ ignore: ['a'] })
      await fs.commit()
      expect(await paths(fs)).to.not.include('/a/one')

      expect((await later()).unread).to.equal(1)
      expect(await rootOf()).to.equal(await coldRoot())
    })

    it('is so elsewhere as well, with what could not be read', async () => {
      writeSome()
      await later({ to: '/monday' })
      const { readdirSync } = nodefs
      nodefs.readdirSync = ((...parameters: Parameters<typeof readdirSync>) => {
        if (String(parameters[0]) === join(source, 'a')) {
          throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
        }

        return readdirSync(...parameters)
      }) as typeof readdirSync

      try {
        await later({ to: '/tuesday', onSourceError: 'skip' })
      } finally {
        nodefs.readdirSync = readdirSync
      }

      await later({ to: '/tuesday' })
      expect(await paths(fs, '/tuesday')).to.include.members(['/tuesday/a/one', '/tuesday/a/b/two'])
    })

    const sizes = [3, 5_000]

    sizes.forEach(bytes => {
      it(`knows nothing of ${bytes} bytes in it that others wrote, wherever an import was interrupted`, async () => {
        write('x', new Uint8Array(bytes).fill(1))
        await later()
        await fs.commit()
        await fs.writeFile('/x', new Uint8Array(bytes).fill(2))
        await fs.commit()
        write('a')
        const controller = new AbortController()
        const onProgress = (): void => { controller.abort(new Error('enough')) }
        await expect(later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejectedWith('enough')
        await later()

        expect(await rootOf()).to.equal(await coldRoot())
      })
    })

    it('takes over a directory of any size', async () => {
      const recorded = { facts: 'd', names: new Map(Array.from({ length: 300_000 }, (_, i) => [String(i), 'f'])) }
      const made = new ImportRecord(record, {})
      await made.carryForward(['a', 'b'], recorded, {})

      expect(made.unrecorded).to.equal(300_000)
    })

    it('gives the event loop turns while it is written, and is what it was where it is aborted then', async () => {
      const recorded = { facts: 'd', names: new Map(Array.from({ length: 300_000 }, (_, i) => [`name-${i}`, `f1 2 3 ${i}`])) }
      const [before, after] = [await createBlock(rawCode, Uint8Array.of(1)), await createBlock(rawCode, Uint8Array.of(2))]
      const first = new ImportRecord(record, {})
      await first.carryForward(['a'], recorded, {})
      await expect(first.record({ tree: before.cid, isExact: true, isLast: true }, { signal: abortedInTurn(4) })).to.eventually.be.rejectedWith('enough')
      expect(nodefs.readdirSync(root)).to.deep.equal(['source'])

      const second = new ImportRecord(record, {})
      await second.carryForward(['a'], recorded, {})
      await second.record({ tree: before.cid, isExact: true, isLast: true }, {})
      const bytes = nodefs.readFileSync(record)

      const third = new ImportRecord(record, {})
      await third.read({})
      await third.carryForward(['b'], recorded, {})
      await expect(third.record({ tree: after.cid, isExact: true, isLast: true }, { signal: abortedInTurn(8) })).to.eventually.be.rejectedWith('enough')
      const [found] = await new ImportRecord(record, {}).read({})
      expect(String(found.tree)).to.equal(String(before.cid))
      expect([...found.directory.names.keys()]).to.deep.equal(['a'])

      const fourth = new ImportRecord(record, {})
      nodefs.writeFileSync(record, bytes)
      await fourth.read({})

      for (let again = 0; again < 2; again++) {
        await fourth.carryForward(['a'], recorded, {})
        await fourth.record({ tree: after.cid, isExact: false, isLast: false }, {})
      }

      const untidy = nodefs.statSync(record).size
      const reached = { tree: after.cid, isExact: true, isLast: true }
      await expect(fourth.record(reached, { signal: abortedInTurn(4) })).to.eventually.be.rejectedWith('enough')
      expect(nodefs.statSync(record).size).to.equal(untidy)
      await fourth.record(reached, {})
      expect(nodefs.statSync(record).size).to.be.below(untidy / 2)
      expect(nodefs.readdirSync(root).sort()).to.deep.equal(['record', 'source'])
      expect((await new ImportRecord(record, {}).read({}))[0].directory.names.get('a')).to.have.nested.property('names.size', 300_000)
    }).timeout(60_000)

    it('keeps nothing of lines that a process did not end', async () => {
      write('a')
      await later()
      await fs.commit()
      nodefs.mkdirSync(join(source, 'd'))

      for (let i = 0; i < 12_000; i++) {
        nodefs.writeFileSync(join(source, `d/${i}`), '')
      }

      // the record of an import that was killed while it wrote it: the last line, which has the tree, is not there
      const before = nodefs.readFileSync(record)
      const other = dagfs({ blockstore })
      await other.checkout((await fs.commit()).root)
      await later({}, other)
      const lines = nodefs.readFileSync(record).subarray(before.byteLength).toString().trimEnd().split('\n')
      expect(lines).to.have.lengthOf.above(1)
      nodefs.writeFileSync(record, Buffer.concat([before, Buffer.from(`${lines.slice(0, -1).join('\n')}\n`)]))

      write('b')
      await later({ ignore: ['d'] })
      await fs.commit()
      await later()
      expect(await rootOf()).to.equal(await coldRoot())
    })

    it('helps the next import as far as one came that was interrupted', async () => {
      for (let i = 0; i < 200; i++) {
        write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      await later()
      await fs.commit()

      for (const stop of [60, 30]) {
        await fs.rm('/9', { recursive: true, force: true })
        const controller = new AbortController()
        let entries = 0
        const onProgress = (): void => {
          if (++entries === stop) {
            controller.abort(new Error('enough'))
          }
        }

        await expect(later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejectedWith('enough')
      }

      expect((await later()).unread).to.be.above(20)
      expect(await rootOf()).to.equal(await coldRoot())
      expect((await later()).unread).to.equal(200)
    })

    it('is one while a file of the target is open', async () => {
      writeSome()
      await using handle = await fs.open('/log', 'a')
      await handle.write('began')
      await later()
      await handle.write(', ended')
      await handle.close()
      await fs.rm('/log')

      expect((await later()).unread).to.equal(3)
      expect(await rootOf()).to.equal(await coldRoot())
    })
  })

  it('records nothing of what took the place of a directory and could not be read', async () => {
    write('p/inside')
    write('q')
    await later({ delete: true })
    nodefs.rmSync(join(source, 'p'), { recursive: true })
    write('p', new Uint8Array(2 * 2 ** 20).fill(1))
    const { openSync } = nodefs
    nodefs.openSync = (...parameters) => {
      // it is looked at, and then its disk fails
      if (String(parameters[0]) === join(source, 'p') && ++opened === 2) {
        throw Object.assign(new Error('EIO'), { code: 'EIO' })
      }

      return openSync(...parameters)
    }
    let opened = 0

    try {
      const { skipped } = await later({ delete: true, onSourceError: 'skip' })
      expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'p')])
    } finally {
      nodefs.openSync = openSync
    }

    await later({ delete: true })
    expect(await paths(fs)).to.deep.equal(['/p', '/q'])
  })

  it('imports elsewhere without reading, from what the store has', async () => {
    writeSome()
    await later({ to: '/monday' })
    await fs.commit()
    const { unread } = await later({ to: '/tuesday' })
    await fs.commit()

    expect(unread).to.equal(3)
    expect(String((await fs.stat('/tuesday')).cid)).to.equal(String((await fs.stat('/monday')).cid))
    expect((await fs.readFile('/tuesday/large')).byteLength).to.equal(3 * 2 ** 20)
  })

  it('reads everything where it is to record other things than before', async () => {
    writeSome()
    await later()

    expect((await later({ mode: true })).unread).to.equal(0)
    expect((await later({ mode: true })).unread).to.equal(3)
    expect(await rootOf()).to.equal(await coldRoot({ mode: true }))
  })

  it('sees that a mode or a time of a directory changed where it is to record them', async () => {
    writeSome()
    await later({ mode: true, mtime: true })
    nodefs.chmodSync(join(source, 'a'), 0o700)
    nodefs.utimesSync(join(source, 'a/b'), 1_000, 1_000)
    await later({ mode: true, mtime: true })

    expect(await rootOf()).to.equal(await coldRoot({ mode: true, mtime: true }))
  })

  it('comes to the root of a cold import where modes and times are recorded no more', async () => {
    writeSome()

    for (const options of [{}, { delete: true }, { record, delete: true }, { to: '/a/b' }]) {
      fs = memoryFs()
      await importDirectory(fs, source, { ...options, mode: true, mtime: true })
      await importDirectory(fs, source, options)

      expect(await rootOf(), JSON.stringify(options)).to.equal(await coldRoot(options))
    }
  })

  it('reads everything where another tree is to have another layout, and refuses one that cannot be described', async () => {
    writeSome()
    await later()
    const other = dagfs({ blockstore }, { layout: { ...dagfs1, inlineBytes: 0 } })
    const custom = dagfs({ blockstore }, { layout: { ...dagfs1, chunker: { maxChunkBytes: 5_000, firstChunkBytes: bytes => Math.min(bytes.byteLength, 3_000) } } })

    expect((await later({}, other)).unread).to.equal(0)
    await expect(later({}, custom)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
  })

  it('leaves its record out where that is in the directory', async () => {
    writeSome()
    record = join(source, 'record')
    await later()
    await later({ delete: true })

    expect(await paths(fs)).to.not.include('/record')
  })

  it('leaves its record out also where links lead to it, or to the directory', async () => {
    writeSome()
    const link = join(root, 'link')
    nodefs.symlinkSync(source, link)

    for (const [from, to] of [[source, join(link, 'record')], [link, join(source, 'record')], [link, join(link, 'record')], [source, join(link, 'a/b/record')]]) {
      await importDirectory(fs, from, { record: to, delete: true })
      await importDirectory(fs, from, { record: to, delete: true })
      nodefs.rmSync(to)

      expect(await paths(fs)).to.deep.equal(['/a', '/a/b', '/a/b/two', '/a/one', '/empty', '/large', '/link'])
    }
  })

  it('deletes what has the name of its record, which is left out, and so comes to the root of a cold import', async () => {
    record = join(source, 'record')
    write('a')
    await later({ delete: true })
    // once without a record, which is a file like any other then
    await importDirectory(fs, source)
    expect(await paths(fs)).to.deep.equal(['/a', '/record'])
    await later({ delete: true })

    expect(await rootOf()).to.equal(await coldRoot({ record, delete: true }))
    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('does not take a directory for known that has the name of its record', async () => {
    const within = join(source, 'record')
    write('a')
    await later({ record: within, delete: true })
    await importDirectory(fs, source)
    await later({ record: within, delete: true })
    nodefs.renameSync(within, record)
    await later({ delete: true })

    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('takes paths of the directory in which the process is when they are given', async () => {
    writeSome()
    const before = process.cwd()
    nodefs.mkdirSync(join(root, 'elsewhere'))
    process.chdir(root)

    try {
      const importing = importDirectory(fs, 'source', { record: 'record' })
      process.chdir('elsewhere')
      await importing
      process.chdir(root)
      const preview = previewImport(memoryFs(), 'source', { record: 'record' })
      process.chdir('elsewhere')

      expect(await all(preview)).to.have.lengthOf(7)
      expect(nodefs.readdirSync(root).sort()).to.deep.equal(['elsewhere', 'record', 'source'])
      expect(nodefs.readdirSync('.')).to.deep.equal([])
    } finally {
      process.chdir(before)
    }
  })

  it('refuses a record that is no file name, a file of something else, and a filesystem that is not ours', async () => {
    writeSome()
    nodefs.writeFileSync(record, 'a letter to my aunt')

    await expect(later()).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', path: record })
    await expect(later({ record: '' })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    await expect(later({ record: join(root, 'new') }, { ...fs })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    expect(nodefs.readFileSync(record, 'utf8')).to.equal('a letter to my aunt')
  })

  describe('where blocks of the recorded tree are gone', () => {
    it('reads everything into another store', async () => {
      writeSome()
      await later()
      const other = memoryFs()

      expect((await later({}, other)).unread).to.equal(0)
      expect(await rootOf(other)).to.equal(await coldRoot())
    })

    it('reads what lacks a block, and nothing else', async () => {
      writeSome()
      await later({ to: '/a' })
      await fs.commit()
      const leaves = await blocksBelow('/a/large')
      const directory = (await fs.stat('/a/a/b')).cid as CID
      const fresh = dagfs({ blockstore })

      await blockstore.delete(leaves[0])
      expect((await later({ to: '/b' }, fresh)).unread, 'a chunk of a large file').to.equal(2)
      expect(await allBytes(fresh)).to.equal(3 * 2 ** 20 + 5_003)

      await blockstore.delete(directory)
      const another = dagfs({ blockstore })
      expect((await later({ to: '/c' }, another)).unread, 'a directory').to.equal(2)
      expect(await allBytes(another)).to.equal(3 * 2 ** 20 + 5_003)
    })

    it('reads what garbage collection has taken', async () => {
      writeSome()
      const name = dagfs({ blockstore })
      await later({}, name)
      await fs.addAll([{ path: '/x', content: 'x' }])
      await fs.commit()
      // nobody holds what was imported: it is in another filesystem that is let go of
      for await (const { cid } of blockstore.getAll()) {
        await blockstore.delete(cid)
      }

      const fresh = dagfs({ blockstore })
      expect((await later({}, fresh)).unread).to.equal(0)
      expect(await allBytes(fresh)).to.equal(3 * 2 ** 20 + 5_003)
    })

    async function blocksBelow (path: string): Promise<CID[]> {
      const { links } = await import('../../../src/codec/index.ts')
      const { blockReader } = await import('../../../src/blockstore/index.ts')
      const { cid } = await fs.stat(path)

      return links(await blockReader(blockstore).get(cid as CID))
    }

    async function allBytes (of: DagFs): Promise<number> {
      const { root: cid } = await of.commit()
      const stored = dagfs({ blockstore }, { root: cid })
      let bytes = 0

      for await (const { path, kind } of stored.walk()) {
        bytes += kind === 'file' ? (await stored.readFile(path)).byteLength : 0
      }

      return bytes
    }
  })

  describe('an interrupted import', () => {
    it('goes on where it was', async () => {
      for (let i = 0; i < 200; i++) {
        write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      const controller = new AbortController()
      let entries = 0
      const onProgress = (): void => {
        entries++

        if (entries === 120) {
          controller.abort(new Error('enough'))
        }
      }

      await expect(later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejectedWith('enough')
      expect(await paths(fs)).to.deep.equal([])
      const { unread } = await later()

      expect(unread).to.be.above(80)
      expect(await rootOf()).to.equal(await coldRoot())
    })

    it('goes on where its process was killed, in the pack store', async () => {
      for (let i = 0; i < 200; i++) {
        write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      const { signal } = importAndDie(source, join(root, 'pack'), record, 150)
      expect(signal).to.equal('SIGKILL')
      const store = new PackBlockstore(join(root, 'pack'))
      await store.open()

      try {
        const again = dagfs({ blockstore: store })
        const { unread } = await later({}, again)
        expect(unread).to.be.above(80)
        expect(await rootOf(again)).to.equal(await coldRoot())
        expect((await again.readFile('/7/7', 'utf8')).length).to.equal(1_000)
      } finally {
        await store.close()
      }
    }).timeout(60_000)
  })

  describe('a preview', () => {
    it('tells what an import would change, puts nothing, edits nothing and records nothing', async () => {
      writeSome()
      await later({ delete: true })
      const { root: cid } = await fs.commit()
      const recorded = nodefs.readFileSync(record)
      nodefs.appendFileSync(join(source, 'a/one'), 'more')
      nodefs.rmSync(join(source, 'empty'), { recursive: true })
      write('new/file')
      const { put } = blockstore
      blockstore.put = () => { throw new Error('it puts') }

      try {
        const told = await inAnHour(async () => all(previewImport(fs, source, { record, delete: true })))
        expect(told.map(({ kind, path }) => `${kind} ${path}`)).to.deep.equal(['changed /a/one', 'removed /empty', 'added /new', 'added /new/file'])
      } finally {
        blockstore.put = put
      }

      expect(nodefs.readFileSync(record)).to.deep.equal(recorded)
      expect(await rootOf()).to.equal(String(cid))

      const told = await inAnHour(async () => all(previewImport(fs, source, { record, delete: true })))
      await later({ delete: true })
      await fs.commit()
      expect(told.map(({ kind, path }) => [kind, path])).to.deep.equal((await all(fs.diff(cid))).map(({ kind, path }) => [kind, path]))
    })

    it('of an import into nothing tells everything, in order', async () => {
      writeSome()
      const told = await all(previewImport(fs, source))

      expect(told.map(({ path }) => path)).to.deep.equal(['/a', '/a/b', '/a/b/two', '/a/one', '/empty', '/large', '/link'])
      expect(await paths(fs)).to.deep.equal([])
    })

    it('fails where the import would', async () => {
      execFileSync('mkfifo', [join(source, 'pipe')])

      await expect(all(previewImport(fs, source))).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError' })
    })
  })

  it(`gives the same root as without a record, whatever happens to directory, tree, record and store: seed ${seed}`, async () => {
    const next = random()
    const pick = <T>(items: readonly T[]): T => items[below(next, items.length)]
    const names = ['a', 'b', 'c', 'd']
    const anyPath = (): string => Array.from({ length: 1 + below(next, 3) }, () => pick(names)).join('/')
    const recorded = { fs, blockstore }
    const plain = { fs: memoryFs() }

    const onHost = (): void => {
      const path = join(source, anyPath())
      const size = pick([0, 10, 2_048, 2_049, 6_000])

      try {
        switch (below(next, 6)) {
          case 0: nodefs.rmSync(path, { recursive: true, force: true }); break
          case 1: nodefs.mkdirSync(path, { recursive: true }); break
          case 2: nodefs.symlinkSync(pick(names), path); break
          case 3: nodefs.renameSync(path, join(source, anyPath())); break
          case 4: nodefs.chmodSync(path, pick([0o700, 0o755])); break
          default: nodefs.writeFileSync(path, new Uint8Array(size).fill(below(next, 256)))
        }
      } catch {
        // what is in the way stays
      }
    }

    const inTree = async (): Promise<void> => {
      const path = `/to/${anyPath()}`
      const choice = below(next, 2)

      for (const { fs: tree } of [recorded, plain]) {
        await (choice === 0 ? tree.rm(path, { recursive: true, force: true }) : tree.writeFile(path, 'edited')).catch(() => {})
      }
    }

    const toRecord = (): void => {
      if (!nodefs.existsSync(record)) {
        return
      }

      const bytes = nodefs.readFileSync(record)

      switch (below(next, 3)) {
        case 0: nodefs.rmSync(record); break
        case 1: nodefs.truncateSync(record, 100 + below(next, Math.max(1, bytes.byteLength - 100))); break
        default: nodefs.writeFileSync(record, bytes.map((byte, i) => i === 100 + below(next, bytes.byteLength) ? byte ^ 4 : byte))
      }
    }

    /** The store loses what nobody needs, and the filesystem begins anew with its last root. */
    const inStore = async (): Promise<void> => {
      const { root: cid } = await recorded.fs.commit()
      const kept = new MemoryBlockstore()
      const copy = dagfs({ blockstore: kept })
      void copy
      const { links } = await import('../../../src/codec/index.ts')
      const { blockReader } = await import('../../../src/blockstore/index.ts')
      const reader = blockReader(recorded.blockstore)
      const open = [cid]

      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        const block = await reader.get(one)
        await kept.put(one, block.bytes)
        open.push(...links(block))
      }

      recorded.blockstore = kept
      recorded.fs = dagfs({ blockstore: kept }, { root: cid })
    }

    /** Answers whether it was interrupted before it was complete. */
    const interrupted = async (options: ImportOptions): Promise<boolean> => {
      const controller = new AbortController()
      let left = 1 + below(next, 20)
      const onProgress = (): void => {
        if (--left === 0) {
          controller.abort(new Error('enough'))
        }
      }
      const failure = await later({ ...options, recordEveryMs: 0, signal: controller.signal, onProgress }, recorded.fs).then(() => undefined, err => err)

      return failure !== undefined
    }

    for (let round = 0; round < 150; round++) {
      for (let i = below(next, 8); i >= 0; i--) {
        onHost()
      }

      while (next() < 0.4) {
        const options = { to: '/to', delete: next() < 0.6, mode: next() < 0.2 }

        if (!await interrupted(options)) {
          await importDirectory(plain.fs, source, options)
        }

        onHost()

        if (next() < 0.15) {
          toRecord()
        }

        if (next() < 0.1) {
          await inStore()
        }
      }

      if (next() < 0.3) {
        await inTree()
      }

      if (next() < 0.15) {
        toRecord()
      }

      if (next() < 0.15) {
        await inStore()
      }

      const options = { to: '/to', delete: next() < 0.6, mode: next() < 0.2 }
      const isNow = next() < 0.2
      const [one, other] = await Promise.all([
        (isNow ? importDirectory(recorded.fs, source, { ...options, record }) : later(options, recorded.fs)).catch(err => err),
        importDirectory(plain.fs, source, options).catch(err => err)
      ])
      expect(one.code, `round ${round}`).to.equal(other.code)

      if (next() < 0.7) {
        expect(await rootOf(recorded.fs), `round ${round}`).to.equal(await rootOf(plain.fs))
      }
    }

    expect(await rootOf(recorded.fs)).to.equal(await rootOf(plain.fs))
  }).timeout(120_000)
})

/** Imports into a pack store in a process that kills itself after as many entries. */
function importAndDie (source: string, store: string, record: string, entries: number): { signal: string | null } {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const modules = ['../../../src/index', '../../../src/adapters/host/index', '../../../src/pack/index', './host'].map(name => new URL(`${name}${extension}`, import.meta.url).href)
  const script = `
    const [{ dagfs }, { importDirectory }, { PackBlockstore }, { inAnHour }] = await Promise.all(${JSON.stringify(modules)}.map(module => import(module)))
    const blockstore = new PackBlockstore(${JSON.stringify(store)})
    await blockstore.open()
    let entries = 0
    await inAnHour(async () => importDirectory(dagfs({ blockstore }), ${JSON.stringify(source)}, {
      record: ${JSON.stringify(record)},
      recordEveryMs: 0,
      onProgress: () => { if (++entries === ${entries}) process.kill(process.pid, 'SIGKILL') }
    }))
  `

  return spawnSync(process.execPath, ['--input-type=module', '--eval', script])
}
