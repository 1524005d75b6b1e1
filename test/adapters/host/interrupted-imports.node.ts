import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { ImportRecord } from '../../../src/adapters/host/import-record.ts'
import { importDirectory, previewImport } from '../../../src/adapters/host/index.ts'
import { allNames } from '../../../src/adapters/host/recorded-directory.ts'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import { below, random, seed } from '../../seed.ts'
import { inAnHour, memoryFs, temporaryDirectory } from './host.ts'
import type { ImportOptions, ImportReport } from '../../../src/adapters/host/index.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/interrupted-imports', () => {
  let source: string
  let record: string
  let remove: () => void
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    let root: string
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

  /** Twenty files in each of ten directories, or in the first of them. */
  function write (content: string, directories = 10): void {
    writeFiles(content, 20 * directories, i => `${Math.floor(i / 20)}`)
  }

  /** Files of a directory before the others; a walk is not further ahead than they are many. */
  function writeFirst (content: string): void {
    writeFiles(content, 300, () => '!')
  }

  function writeFiles (content: string, files: number, directoryOf: (i: number) => string): void {
    for (let i = 0; i < files; i++) {
      const directory = join(source, directoryOf(i))
      nodefs.mkdirSync(directory, { recursive: true })
      nodefs.writeFileSync(join(directory, `${i}`), `${content}${i}`.repeat(i % 2 === 0 ? 100 : 1_000))
    }
  }

  function writeOne (path: string, content: string): void {
    nodefs.mkdirSync(join(source, path, '..'), { recursive: true })
    nodefs.writeFileSync(join(source, path), content)
  }

  /** Imports as if what is on the disk had been there for an hour. */
  async function later (options: ImportOptions = {}): Promise<ImportReport> {
    return inAnHour(async () => importDirectory(fs, source, { record, ...options }))
  }

  async function interruptedAfter (entries: number): Promise<void> {
    const controller = new AbortController()
    let done = 0
    const onProgress = (): void => {
      if (++done === entries) {
        controller.abort(new Error('enough'))
      }
    }

    await expect(later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  }

  /** Interrupts an import of changed files, which has put the content of every second one. */
  async function interruptedAfterReading (files: number, options: ImportOptions = {}): Promise<void> {
    const controller = new AbortController()
    const { put } = blockstore
    let left = files / 2
    blockstore.put = (cid, ...rest) => {
      if (cid.code === rawCode && --left < 1) {
        controller.abort(new Error('enough'))
      }

      return Reflect.apply(put, blockstore, [cid, ...rest])
    }

    try {
      await expect(later({ recordEveryMs: 0, ...options, signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    } finally {
      blockstore.put = put
    }
  }

  function namesInRecord (): number {
    const [, ...lines] = nodefs.readFileSync(record, 'utf8').trimEnd().split('\n')
    // behind a checksum
    const changes: Array<[directory: string, names: string[]]> = lines.flatMap(line => JSON.parse(line.slice(9)).changes)

    return changes.reduce((sum, [, names]) => sum + names.length / 2, 0)
  }

  async function rootOf (of = fs): Promise<string> {
    return String((await of.commit()).root)
  }

  async function coldRoot (): Promise<string> {
    const cold = memoryFs()
    await importDirectory(cold, source)

    return rootOf(cold)
  }

  const interruptions = [[], [60], [60, 15], [15, 100, 8, 150, 30]]

  interruptions.forEach(places => {
    it(`keep unchanged files known after ${places.length} interruptions`, async () => {
      write('before')
      writeFirst('before')
      await later()
      await fs.commit()

      for (const place of places) {
        writeFirst(`before ${place} `)
        await interruptedAfterReading(place)
      }

      writeFirst('after')
      expect((await later()).unread).to.equal(200)
      expect(await rootOf()).to.equal(await coldRoot())
      expect((await later()).unread).to.equal(500)
    })

    it(`keep known what ${places.length} interrupted first imports stored`, async () => {
      write('first')

      for (const place of places) {
        await interruptedAfter(place)
        expect(await fs.readdir('/')).to.deep.equal([])
      }

      const most = Math.max(0, ...places)
      // some entries are directories, and the last was not recorded
      expect((await later()).unread).to.be.within(most * 0.9 - 2, most)
      expect(await rootOf()).to.equal(await coldRoot())
      expect((await later()).unread).to.equal(200)
    })
  })

  it('resume after repeated interruption, with changes in between', async () => {
    write('first')
    await later()
    await fs.commit()

    for (const [i, place] of [180, 120, 60].entries()) {
      write(`changed ${i} `, 9 - 3 * i)
      await interruptedAfterReading(place)
    }

    // besides those that were in work at each interruption
    expect((await later()).unread).to.be.at.least(200 - 3 * 20)
    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('check no blocks of directories that the tree still has as recorded', async () => {
    write('before')
    writeFirst('before')
    await later()
    await fs.commit()

    for (const place of [100, 50, 20]) {
      writeFirst(`before ${place} `)
      await interruptedAfterReading(place)
    }

    writeFirst('after')
    const { has } = blockstore
    let looks = 0
    blockstore.has = (...parameters) => {
      looks++
      return Reflect.apply(has, blockstore, parameters)
    }

    expect((await later()).unread).to.equal(200)
    expect(looks).to.equal(0)
    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('keep the record bounded, and end at the size of a complete import', async () => {
    write('before')
    writeFirst('before')
    await later({ delete: true })
    await fs.commit()
    const { size } = nodefs.statSync(record)
    let largest = 0

    for (let i = 0; i < 30; i++) {
      writeFirst(`${i} `)
      await interruptedAfterReading(280, { delete: true, recordEveryMs: 5 })
      largest = Math.max(largest, namesInRecord())
    }

    // twice the names that there are and 4,000, and those of one more import: what it forgets, and what it notes
    expect(largest).to.be.within(2_000, 4 * 510 + 4_000)
    await later({ delete: true })
    // it has lines of other lengths
    expect(nodefs.statSync(record).size).to.be.within(0.8 * size, 1.2 * size)
    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('keep a directory known if only newly stored blocks are gone', async () => {
    write('first')
    await later()
    await fs.commit()
    const kept = await all(blockstore.getAll())
    write('second', 1)
    await interruptedAfter(60)
    await interruptedAfter(10)

    const collected = new MemoryBlockstore()

    for (const { cid, bytes } of kept) {
      await collected.put(cid, (await all(bytes))[0])
    }

    fs = dagfs({ blockstore: collected }, { root: (await fs.commit()).root })
    await later()
    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('keep known only what the tree of each import had', async () => {
    writeOne('!', 'before')
    writeOne('d/x', 'before')
    await later()
    await fs.commit()
    await fs.writeFile('/d/x', 'edited')
    await fs.commit()
    writeOne('!', 'after')
    // the directory that was edited is in the tree that the record has then
    await interruptedAfter(2)
    await later()

    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('keep a removed file removed if its import is no longer known', async () => {
    writeOne('d/x', 'before')
    writeOne('d/y', 'before')
    await later({ delete: true })
    const { root } = await fs.commit()
    await fs.writeFile('/d/z', 'edited')
    await fs.commit()
    writeOne('d/x', 'after')
    await interruptedAfter(3)
    await fs.checkout(root)
    nodefs.rmSync(join(source, 'd/x'))
    await later({ delete: true })

    expect(await rootOf()).to.equal(await coldRoot())
  })

  it('leave a record that a preview reads and does not change', async () => {
    write('first')
    await later()
    await fs.commit()
    write('second', 1)
    await interruptedAfter(60)
    await interruptedAfter(10)
    const before = nodefs.readFileSync(record)

    expect((await all(previewImport(fs, source, { record }))).map(({ kind }) => kind)).to.deep.equal(Array.from({ length: 20 }, () => 'changed'))
    expect(nodefs.readFileSync(record)).to.deep.equal(before)
  })

  it('cost a first import nothing: it writes its record once', async () => {
    write('first')
    const { renameSync } = nodefs
    let renames = 0
    nodefs.renameSync = (...parameters) => {
      renames++
      renameSync(...parameters)
    }

    try {
      await later({ recordEveryMs: 0 })
      expect(renames).to.equal(1)
    } finally {
      nodefs.renameSync = renameSync
    }
  })

  it(`keep the last facts of each file, however many imports: seed ${seed}`, async () => {
    const next = random()
    let known = new Map<string, string>()
    let section = new Map<string, string>()

    for (let round = 0; round < 400; round++) {
      const made = new ImportRecord(record, {})
      const sections = await made.read({})
      const found = sections.flatMap(({ directory }) => [...allNames(directory, '')]).filter(({ facts }) => facts?.startsWith('f'))
      expect(found.map(({ path, facts }) => `${path} ${facts}`).sort(), `round ${round}`).to.deep.equal([...known].map(([path, facts]) => `${path} ${facts}`).sort())
      const { cid: tree } = await createBlock(rawCode, Uint8Array.of(round >> 8, round & 255))

      if (next() < 0.8) {
        made.begin()
        section = new Map()
      }

      for (let checkpoint = below(next, 3); checkpoint >= 0; checkpoint--) {
        for (let i = 1 + below(next, 8); i > 0; i--) {
          const path = `${'ab'[below(next, 2)]}/${'cd'[below(next, 2)]}/${below(next, 6)}`
          made.storing(path, `f${round} ${checkpoint}`)
          made.stored(path)
          section.set(path, `f${round} ${checkpoint}`)
        }

        const isLast = checkpoint === 0 && next() < 0.05
        await made.record({ tree, isExact: false, isLast }, {})
        known = new Map([...isLast ? [] : known, ...section])
      }

      // of a process that was killed
      if (next() < 0.2) {
        nodefs.appendFileSync(record, 'torn')
      }
    }
  })
})
