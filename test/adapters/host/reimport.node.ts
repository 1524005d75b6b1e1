import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { factsOf } from '../../../src/adapters/host/facts.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { dagfs, dagfs1 } from '../../../src/index.ts'
import { memoryFs } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

describe('adapters/host/reimport', () => {
  let given: RecordedSource
  let source: string
  let record: string
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ source, record, blockstore, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  it('opens no unchanged file and puts nothing, but counts everything', async () => {
    given.writeSome()
    const { unread, ...first } = await given.later()
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
      const { unread: unreadAgain, ...again } = await given.later()
      expect(unreadAgain).to.equal(3)
      expect(again).to.deep.equal(first)
      expect(await given.rootOf()).to.equal(String(cid))
      expect(touched.filter(path => path !== record)).to.deep.equal([])
    } finally {
      nodefs.openSync = openSync
      blockstore.put = put
    }
  })

  it('includes unread files in its progress', async () => {
    given.writeSome()
    await given.later()
    const told: number[][] = []
    await given.later({ onProgress: ({ detail }) => told.push([detail.entries, detail.bytes]) })

    expect(told.at(-1)).to.deep.equal([7, 3 * 2 ** 20 + 5_003])
    expect(told).to.have.lengthOf(7)
  })

  const changes: Array<[what: string, change: () => void]> = [
    ['has another content', () => { given.write('a/one', 'two') }],
    ['has another size', () => { nodefs.appendFileSync(join(source, 'a/one'), 'more') }],
    ['has another content of the same size and mtime', () => {
      given.write('a/one', 'eno')
      nodefs.utimesSync(join(source, 'a/one'), 1_000_000, 1_000_000)
    }],
    ['is another file of the same size and mtime', () => {
      given.write('other', 'eno')
      nodefs.utimesSync(join(source, 'other'), 1_000_000, 1_000_000)
      nodefs.renameSync(join(source, 'other'), join(source, 'a/one'))
    }]
  ]

  changes.forEach(([what, change]) => {
    it(`reads only a file that ${what}`, async () => {
      given.writeSome()
      await given.later()
      await fs.commit()
      change()

      expect((await given.later()).unread).to.equal(2)
      expect(await given.rootOf()).to.equal(await given.coldRoot())
      expect((await given.later()).unread).to.equal(3)
    })
  })

  describe('a file\'s recorded facts', () => {
    const old = { size: 3n, mtimeNs: 5n, ctimeNs: 6n, ino: 7n }
    const others: Array<Partial<typeof old>> = [{ size: 4n }, { mtimeNs: 50n }, { ctimeNs: 60n }, { ino: 8n }]

    others.forEach(other => {
      it(`differ if only ${Object.keys(other).join()} differs`, () => {
        expect(factsOf('file', { ...old, ...other })).to.not.equal(factsOf('file', old))
      })
    })
  })

  it('reads a file again that changed shortly before it was recorded', async () => {
    given.writeSome()
    // now, and not in an hour
    await importDirectory(fs, source, { record })
    expect((await importDirectory(fs, source, { record })).unread).to.equal(0)
    expect((await given.later()).unread).to.equal(0)
    expect((await given.later()).unread).to.equal(3)
  })

  it('trusts files with times far in the future', async () => {
    const far = new Date('2300-01-01')
    const sizes = { small: 2_000, medium: 3_000, large: 3 * 2 ** 20 }

    for (const [path, bytes] of Object.entries(sizes)) {
      given.write(path, new Uint8Array(bytes).fill(1))
      nodefs.utimesSync(join(source, path), far, far)
    }

    // not every filesystem holds such a time
    const seconds = nodefs.statSync(join(source, 'small')).mtimeMs / 1_000
    await given.later({ mtime: true })

    for (const path of Object.keys(sizes)) {
      expect((await fs.stat(`/${path}`)).attributes).to.deep.equal({ mtime: [seconds, 0] })
    }

    expect((await given.later({ mtime: true })).unread).to.equal(3)
  })

  it('records the attributes that the tree has, if a directory changes meanwhile', async () => {
    given.write('a/file')
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
      await given.later({ mode: true })
    } finally {
      Object.assign(nodefs, { lstatSync })
    }

    nodefs.chmodSync(directory, 0o755)
    await given.later({ mode: true })

    expect((await fs.stat('/a')).attributes).to.deep.equal({ mode: 0o755 })
    expect(await given.rootOf()).to.equal(await given.coldRoot({ mode: true }))
  })

  it('restores the host\'s content over edits of the tree', async () => {
    given.writeSome()
    await given.later({ delete: true })
    const { root: cid } = await fs.commit()
    await fs.writeFile('/a/one', 'edited')
    await fs.writeFile('/a/b/more', 'edited')
    await fs.rm('/large')
    const { unread } = await given.later({ delete: true })

    expect(unread).to.equal(3)
    expect(await given.rootOf()).to.equal(String(cid))
  })

  it('imports to another path from stored blocks, without reading', async () => {
    given.writeSome()
    await given.later({ to: '/monday' })
    await fs.commit()
    const { unread } = await given.later({ to: '/tuesday' })
    await fs.commit()

    expect(unread).to.equal(3)
    expect(String((await fs.stat('/tuesday')).cid)).to.equal(String((await fs.stat('/monday')).cid))
    expect((await fs.readFile('/tuesday/large')).byteLength).to.equal(3 * 2 ** 20)
  })

  it('reads everything again when it records other attributes', async () => {
    given.writeSome()
    await given.later()

    expect((await given.later({ mode: true })).unread).to.equal(0)
    expect((await given.later({ mode: true })).unread).to.equal(3)
    expect(await given.rootOf()).to.equal(await given.coldRoot({ mode: true }))
  })

  it('finds a changed mode or time of a directory if they are recorded', async () => {
    given.writeSome()
    await given.later({ mode: true, mtime: true })
    nodefs.chmodSync(join(source, 'a'), 0o700)
    nodefs.utimesSync(join(source, 'a/b'), 1_000, 1_000)
    await given.later({ mode: true, mtime: true })

    expect(await given.rootOf()).to.equal(await given.coldRoot({ mode: true, mtime: true }))
  })

  it('gives the root of a cold import once attributes are no longer recorded', async () => {
    given.writeSome()

    for (const options of [{}, { delete: true }, { record, delete: true }, { to: '/a/b' }]) {
      given.fs = memoryFs()
      await importDirectory(given.fs, source, { ...options, mode: true, mtime: true })
      await importDirectory(given.fs, source, options)

      expect(await given.rootOf(), JSON.stringify(options)).to.equal(await given.coldRoot(options))
    }
  })

  it('reads everything for another layout, and refuses a custom one', async () => {
    given.writeSome()
    await given.later()
    const other = dagfs({ blockstore }, { layout: { ...dagfs1, inlineBytes: 0 } })
    const custom = dagfs({ blockstore }, { layout: { ...dagfs1, chunker: { maxChunkBytes: 5_000, firstChunkBytes: bytes => Math.min(bytes.byteLength, 3_000) } } })

    expect((await given.later({}, other)).unread).to.equal(0)
    await expect(given.later({}, custom)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
  })
})
