import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import collect from 'it-all'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { ReadAhead } from '../../../src/adapters/host/read-ahead.ts'
import { ReadBatch, batchBytes, batchMemory, maxBatchFiles } from '../../../src/adapters/host/read-batch.ts'
import { ReaderPool, keptMs } from '../../../src/adapters/host/reader-pool.ts'
import { SourceDirectory } from '../../../src/adapters/host/source-directory.ts'
import { sha256 } from '../../../src/hash.ts'
import { dagfs, fixedSize } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { childFile } from '../../child-file.ts'
import { memoryFs, paths, temporaryDirectory } from './host.ts'
import type { HostEntry } from '../../../src/adapters/host/host-walk.ts'
import type { BatchFile } from '../../../src/adapters/host/read-batch.ts'
import type { AddedEntry, AddOptions } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

const files = 3_000

describe('adapters/host/threads', () => {
  let source: string
  let remove: () => void

  before(() => {
    ({ path: source, remove } = temporaryDirectory())

    for (let i = 0; i < files; i++) {
      const directory = join(source, `d${String(i % 37).padStart(2, '0')}`, `e${i % 5}`)
      nodefs.mkdirSync(directory, { recursive: true })
      nodefs.writeFileSync(join(directory, `f${i}`), contentOf(i))
    }
  })

  after(() => {
    remove()
  })

  /** Of all sizes around the limits: empty, inlined, one block, and too large for what is left of a batch. */
  function contentOf (i: number): Uint8Array {
    const bytes = i % 500 === 0 ? 2 ** 20 + i % 3 - 1 : (i * 37) % 9_000

    return new Uint8Array(bytes).fill(i % 251)
  }

  async function readAll (all: Iterable<HostEntry> | AsyncIterable<HostEntry>): Promise<Map<string, Uint8Array | string>> {
    const found = new Map<string, Uint8Array | string>()
    const ahead = new ReadAhead<HostEntry, { entry: HostEntry, file: BatchFile | undefined }>((entry, file) => ({ entry, file }), 2_048, {})

    for await (const group of ahead.read(all)) {
      for (const { entry, file } of group) {
        found.set(entry.below, file?.outcome === 'read' ? file.bytes.slice() : file?.outcome ?? '')
      }
    }

    return found
  }

  function * entries (): Generator<HostEntry> {
    const directory = new SourceDirectory(source)

    for (let i = 0; i < files; i++) {
      const below = `d${String(i % 37).padStart(2, '0')}/e${i % 5}/f${i}`
      yield { hostPath: join(source, below), segments: below.split('/'), below, kind: 'file', directory }
    }
  }

  it('read every file in order', async () => {
    const found = await readAll(entries())

    expect([...found.keys()]).to.deep.equal(Array.from(entries(), ({ below }) => below))

    for (const [below, bytes] of found) {
      const content = contentOf(Number(below.slice(below.lastIndexOf('f') + 1)))

      // what does not fit into a batch any more is read when its turn comes
      expect(bytes, below).to.satisfy((it: unknown) => it === 'left' ? content.byteLength > 2 ** 19 : it instanceof Uint8Array && Buffer.compare(it, content) === 0)
    }
  })

  it('import the same tree as adding files one by one', async () => {
    const imported = memoryFs()
    const report = await importDirectory(imported, source)
    const added = memoryFs()
    await added.addAll(Array.from(entries(), ({ below }, i) => ({ path: below, content: contentOf(i) })))

    expect(report).to.include({ files, symlinks: 0 })
    expect(String((await imported.commit()).root)).to.equal(String((await added.commit()).root))
  })

  it('import into a pack store in the order of a walk', async () => {
    const { path, remove: removeStore } = temporaryDirectory()
    const blockstore = new PackBlockstore(join(path, 'pack'))
    await blockstore.open()

    try {
      const fs = dagfs({ blockstore })
      await importDirectory(fs, source)
      await fs.commit()
      const offsets: number[] = []
      const order: string[] = []

      for await (const { cid } of blockstore.getAll()) {
        order.push(String(cid))
      }

      for (const [i, { below }] of Array.from(entries()).entries()) {
        expect(Buffer.compare(await fs.readFile(below), contentOf(i))).to.equal(0)
      }

      for await (const { cid, kind, size } of fs.walk('/')) {
        // larger ones are written while those behind them are
        if (kind === 'file' && cid !== undefined && size < 2 ** 19) {
          offsets.push(order.indexOf(String(cid)))
        }
      }

      const first = [...new Set(offsets)]
      expect(first.length).to.be.above(files / 3)
      expect(first.filter((offset, i) => i > 0 && offset < first[i - 1])).to.deep.equal([])
    } finally {
      await blockstore.close()
      removeStore()
    }
  })

  it('import chunks smaller than files', async () => {
    const layout = { chunker: fixedSize(1_000), width: 16, inlineBytes: 100 }
    const imported = dagfs({ blockstore: new MemoryBlockstore() }, { layout })
    await importDirectory(imported, source)
    const added = dagfs({ blockstore: new MemoryBlockstore() }, { layout })
    await added.addAll(Array.from(entries(), ({ below }, i) => ({ path: below, content: contentOf(i) })))

    expect(String((await imported.commit()).root)).to.equal(String((await added.commit()).root))
  })

  it('reuse no memory that is still in use', async () => {
    // whoever takes entries has the last fifteen in work
    const inWork: Array<{ below: string, bytes: Uint8Array }> = []
    const taken = ({ below }: HostEntry, file: BatchFile | undefined): typeof inWork[number] | undefined => {
      return Number(below.slice(below.lastIndexOf('f') + 1)) % 11 === 0 && file?.outcome === 'read' ? { below, bytes: file.bytes } : undefined
    }
    let compared = 0

    for await (const group of new ReadAhead<HostEntry, typeof inWork[number]>(taken, 0, {}).read(entries())) {
      for (const { below, bytes } of inWork) {
        expect(Buffer.compare(bytes, contentOf(Number(below.slice(below.lastIndexOf('f') + 1)))), below).to.equal(0)
        compared++
      }

      inWork.push(...group)
      inWork.splice(0, inWork.length - 15)
    }

    expect(compared).to.be.above(200)
  })

  it('import into a slow store that keeps its buffers', async () => {
    const kept = new MemoryBlockstore()
    const blockstore = {
      put: async (cid: CID, bytes: Uint8Array) => kept.put(cid, bytes),
      get: (cid: CID) => kept.get(cid),
      has: (cid: CID) => kept.has(cid)
    }
    const fs = dagfs({ blockstore })
    await importDirectory(fs, source)
    await fs.commit()

    for (const { below } of entries()) {
      const i = Number(below.slice(below.lastIndexOf('f') + 1))
      expect(Buffer.compare(await fs.readFile(`/${below}`), contentOf(i)), below).to.equal(0)
    }
  })

  it('import into a wrapped filesystem that collects entries first', async () => {
    const fs = memoryFs()
    // as somebody has it who logs, counts or sorts entries first
    const theirs = new Proxy(fs, {
      get: (target, key) => key === 'addAll'
        ? async (added: AsyncIterable<AddedEntry>, options: AddOptions) => target.addAll(await collect(added), options)
        : Reflect.get(target, key)
    })
    await importDirectory(theirs, source)

    for (const { below } of entries()) {
      const i = Number(below.slice(below.lastIndexOf('f') + 1))
      expect(Buffer.compare(await fs.readFile(`/${below}`), contentOf(i)), below).to.equal(0)
    }
  })

  it('leave stored blocks in memory of their own', async () => {
    const blockstore = new MemoryBlockstore()
    const fs = dagfs({ blockstore })
    await importDirectory(fs, source)

    for await (const { bytes } of blockstore.getAll()) {
      for await (const piece of bytes) {
        expect(piece.buffer.byteLength).to.be.at.most(2 * piece.byteLength + 65_536)
      }
    }
  })

  it('report a file that changes or vanishes, in any thread', async () => {
    for (const [what, change] of [['zz-gone', 'rm'], ['zz-link', 'link']] as const) {
      const path = join(source, what)
      nodefs.writeFileSync(path, 'here')
      let isChanged = false
      const fs = memoryFs()
      const importing = importDirectory(fs, source, {
        onProgress: ({ detail: { entries: done } }) => {
          if (done > 10 && !isChanged) {
            isChanged = true
            nodefs.rmSync(path)

            if (change === 'link') {
              nodefs.symlinkSync('/etc/hostname', path)
            }
          }
        }
      })

      try {
        await expect(importing).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path })
      } catch (err) {
        // the walk may not have come to its directory yet: then it was never there, or is imported as the link that it is
        expect(isChanged, String(err)).to.equal(true)
        expect((await paths(fs)).length).to.be.above(files)
      } finally {
        nodefs.rmSync(path, { force: true })
      }
    }
  })

  it('are optional: without them the importing thread reads', async () => {
    const pool = new ReaderPool(2_048)

    expect(pool.readyThreads).to.equal(0)
    expect(await pool.read([join(source, 'x')], batchMemory())).to.equal(undefined)
    await pool.close()
  })

  it('return nothing after they are ended, and end at once', async function () {
    const pool = new ReaderPool(2_048)
    pool.start()

    for (let i = 0; i < 500 && pool.readyThreads === 0; i++) {
      await new Promise(resolve => setTimeout(resolve, 20))
    }

    // one core has none
    if (pool.readyThreads === 0) {
      return
    }

    const path = join(source, 'd01/e1/f1')
    const memory = await pool.read([path, `${path}-missing`], batchMemory())
    const [file, missing] = memory === undefined ? [] : new ReadBatch(memory).files(2)
    // a thread answers the first of many before it is ended
    const lost = Array.from({ length: 20 }, async () => pool.read(new Array<string>(maxBatchFiles).fill(path), batchMemory()))
    await pool.close()

    expect(file?.outcome === 'read' && Buffer.compare(file.bytes, contentOf(1))).to.equal(0)
    expect(missing).to.deep.equal({ outcome: 'changed' })
    expect((await Promise.all(lost)).at(-1)).to.equal(undefined)
    expect(pool.readyThreads).to.equal(0)
  })

  it('leave unread files to the importing thread, which reads in batches', async () => {
    const { read } = ReaderPool.prototype
    let asked = 0
    const untilAsked = async function * (): AsyncGenerator<HostEntry> {
      for (const entry of entries()) {
        if (asked === 0) {
          // a thread takes its time to start
          await new Promise(resolve => setTimeout(resolve, 1))
        }

        yield entry
      }
    }

    ReaderPool.prototype.read = async function (batch, memory) {
      asked++
      const reading = read.call(this, batch, memory)
      await this.close()

      return reading
    }

    try {
      const found = await readAll(untilAsked())

      expect(found).to.have.lengthOf(files)
      expect([...found].filter(([, content]) => content === '')).to.have.lengthOf(0)
      // one core has none
      expect(asked > 0 || availableParallelism() === 1).to.equal(true)
    } finally {
      ReaderPool.prototype.read = read
    }
  })

  it('are idle after an import fails or is aborted', async () => {
    const controller = new AbortController()
    const importing = importDirectory(memoryFs(), source, { signal: controller.signal, onProgress: ({ detail: { entries: done } }) => { done > 2_000 && controller.abort() } })

    await expect(importing).to.eventually.be.rejected.with.property('name', 'AbortError')
    expect(process.getActiveResourcesInfo().filter(name => name === 'MessagePort')).to.have.lengthOf(0)
  })

  it('serve the next import, or end after a timeout', async function () {
    this.timeout(20_000)
    // those that the tests before left
    await delay(keptMs + 500)
    const started: Worker[] = []
    const running = new Set<Worker>()
    const onWorker = (worker: Worker): void => {
      started.push(worker)
      running.add(worker)
      worker.on('exit', () => { running.delete(worker) })
    }

    process.on('worker', onWorker)

    try {
      await readAll(entries())
      const first = started.length
      await readAll(entries())

      // one core has none
      expect(first).to.equal(Math.min(3, availableParallelism() - 1))
      expect(started).to.have.lengthOf(first)
      expect(running.size).to.equal(first)

      await delay(keptMs + 500)
      expect(running.size).to.equal(0)
    } finally {
      process.off('worker', onWorker)
    }
  })

  it('serve several concurrent imports, and later ones', async () => {
    for (let i = 0; i < 2; i++) {
      const all = await Promise.all(Array.from({ length: 3 }, async () => readAll(entries())))

      for (const found of all) {
        expect(found).to.have.lengthOf(files)
        expect([...found.values()].some(content => content === '' || content === 'changed')).to.equal(false)
      }
    }
  })

  it('do not keep the process alive', () => {
    const began = performance.now()
    const told = importInChild([]).split(' ')
    const ended = Date.now() - Number(told[1])

    expect(told[0]).to.equal(String(files))
    expect(ended, `of ${performance.now() - began} ms`).to.be.below(1_000)
  })

  it('are not used without permission', () => {
    expect(importInChild(['--permission', '--allow-fs-read=*']).split(' ')[0]).to.equal(String(files))
  })

  /** Imports in a process of its own, and answers how many files it says there were, and when it was done. */
  function importInChild (flags: readonly string[]): string {
    const script = `
      import { MemoryBlockstore } from 'blockstore-core'
      const { dagfs } = await import(${JSON.stringify(childFile(import.meta.url, '../../../src/index'))})
      const { importDirectory } = await import(${JSON.stringify(childFile(import.meta.url, '../../../src/adapters/host/index'))})
      const { files } = await importDirectory(dagfs({ blockstore: new MemoryBlockstore() }), ${JSON.stringify(source)})
      process.stdout.write(files + ' ' + Date.now())
    `

    return execFileSync(process.execPath, [...flags, '--input-type=module', '--no-warnings', '-e', script], { encoding: 'utf8', timeout: 60_000, cwd: fileURLToPath(new URL('.', import.meta.url)) })
  }
})

describe('adapters/host/read-batch', () => {
  let directory: string
  let remove: () => void

  beforeEach(() => {
    ({ path: directory, remove } = temporaryDirectory())
  })

  afterEach(() => {
    remove()
  })

  it('returns bytes, hash and metadata of read files, and reasons for others', async () => {
    const [small, large, missing] = ['small', 'large', 'missing'].map(name => join(directory, name))
    nodefs.writeFileSync(small, 'x'.repeat(3_000), { mode: 0o640 })
    nodefs.writeFileSync(large, new Uint8Array(batchBytes))
    const batch = new ReadBatch(batchMemory())

    for (const path of [small, large, missing, directory]) {
      batch.add(path, 2_048)
    }

    const [read, left, gone, other] = new ReadBatch(batch.memory).files(4)
    const { size, mode, mtimeNs, ctimeNs, ino } = nodefs.statSync(small, { bigint: true })

    expect(read).to.deep.include({ outcome: 'read', bytes: new Uint8Array(Buffer.from('x'.repeat(3_000))), digest: new Uint8Array(await sha256(Buffer.from('x'.repeat(3_000)))) })
    expect(read.outcome === 'read' && read.stat).to.deep.equal({ size, mode, mtimeNs, ctimeNs, ino })
    expect(left).to.have.property('outcome', 'left')
    expect(left.outcome === 'left' && left.stat.size).to.equal(BigInt(batchBytes))
    expect([gone, other]).to.deep.equal([{ outcome: 'changed' }, { outcome: 'changed' }])
  })

  it('can be transferred through a thread', async () => {
    const worker = new Worker('const { parentPort } = require("node:worker_threads"); parentPort.on("message", memory => parentPort.postMessage(memory, [memory]))', { eval: true })

    try {
      nodefs.writeFileSync(join(directory, 'file'), 'hello')
      const batch = new ReadBatch(batchMemory())
      batch.add(join(directory, 'file'), 2_048)
      const passed = await new Promise<ArrayBuffer>(resolve => {
        worker.on('message', resolve)
        worker.postMessage(batch.memory, [batch.memory])
      })
      const [file] = new ReadBatch(passed).files(1)

      expect(file.outcome === 'read' && Buffer.from(file.bytes).toString()).to.equal('hello')
    } finally {
      await worker.terminate()
    }
  })
})
