import { once } from 'node:events'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect } from 'aegir/chai'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { readHostFile } from '../../../src/adapters/host/read-host-file.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { memoryFs, openDescriptors, temporaryDirectory } from './host.ts'
import type { DiskRoots } from '../../../src/adapters/disk-roots/index.ts'

interface Answer {
  readonly name?: string
  readonly path?: string
  readonly skipped?: string[]
}

describe('adapters/host/files-in-use', () => {
  const { readSync } = nodefs
  let top: string
  let source: string
  let remove: () => void
  let store: PackBlockstore
  let roots: DiskRoots
  let locked: string[]
  let thread: Worker

  before(() => {
    thread = startThread()
  })

  after(async () => {
    await thread.terminate()
  })

  beforeEach(async () => {
    ({ path: top, remove } = temporaryDirectory())
    source = join(top, 'source')
    nodefs.mkdirSync(join(source, 'deep'), { recursive: true })
    nodefs.writeFileSync(join(source, 'a'), 'a')
    store = new PackBlockstore(join(source, 'deep/store'))
    await store.open()
    roots = diskRoots(join(source, 'roots.sqlite'))
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    locked = lockedFiles()
  })

  afterEach(async () => {
    nodefs.readSync = readSync
    roots.close()
    await store.close()
    remove()
  })

  /** The files below the directory of the test that this process has locks on */
  function lockedFiles (): string[] {
    const files = nodefs.readdirSync('/proc/self/fd').flatMap(descriptor => {
      try {
        const isLocked = nodefs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').includes(' POSIX ')

        // that of the index lasts as long as a look-up
        return isLocked && !nodefs.readlinkSync(`/proc/self/fd/${descriptor}`).endsWith('index.sqlite') ? nodefs.readlinkSync(`/proc/self/fd/${descriptor}`) : []
      } catch {
        // that of the list itself
        return []
      }
    })

    return [...new Set(files.filter(file => file.startsWith(top)))].sort()
  }

  /** Runs code in a thread, which has `fs`, `source` and what `dagfs/host` gives, and answers what it came to. */
  async function inThread (code: string): Promise<Answer> {
    const answered = once(thread, 'message')
    thread.postMessage({ code, source })
    const [answer] = await answered

    return answer
  }

  it('lists all locked files of open stores', () => {
    expect(locked).to.deep.equal([join(store.path, 'lock.sqlite'), join(source, 'roots.sqlite'), join(source, 'roots.sqlite-shm')])
  })

  it('protects a pack store from imports in other threads, by any path', async () => {
    nodefs.symlinkSync(source, join(top, 'link'))

    for (const from of [join(source, 'deep'), join(top, 'link/deep')]) {
      expect(await inThread(`await importDirectory(fs, ${JSON.stringify(from)})`)).to.include({ name: 'UnsupportedEntryError', path: join(from, 'store') })
    }

    expect(await inThread(`await importDirectory(fs, ${JSON.stringify(store.path)})`)).to.include({ name: 'UnsupportedEntryError', path: store.path })
    expect(lockedFiles()).to.deep.equal(locked)
  })

  it('protects a pack store that is open for reading', async () => {
    await store.close()
    store = new PackBlockstore(store.path, { readonly: true })
    await store.open()

    expect(await inThread('await importDirectory(fs, source, { ignore: ["roots.sqlite*"] })')).to.include({ name: 'UnsupportedEntryError', path: store.path })
  })

  it('protects roots and databases from imports in other threads and their helpers', async () => {
    using database = new DatabaseSync(join(source, 'somebodys'))
    database.exec('BEGIN EXCLUSIVE; CREATE TABLE a (b)')

    for (let i = 0; i < 3_000; i++) {
      nodefs.writeFileSync(join(source, `file-${i}`), '')
    }

    const before = lockedFiles()
    const { skipped } = await inThread('return importDirectory(fs, source, { onSourceError: "skip" })')

    expect(before).to.include(join(source, 'somebodys'))
    expect(skipped).to.deep.equal(['deep/store', 'roots.sqlite', 'roots.sqlite-shm', 'roots.sqlite-wal', 'somebodys', 'somebodys-journal'].map(name => join(source, name)))
    expect(lockedFiles()).to.deep.equal(before)
  })

  it('protects hard links to the files', async () => {
    const other = join(top, 'other')
    nodefs.mkdirSync(other)
    nodefs.linkSync(join(store.path, 'lock.sqlite'), join(other, 'a'))
    nodefs.linkSync(join(source, 'roots.sqlite'), join(other, 'b'))
    nodefs.writeFileSync(join(other, 'c'), 'c')

    const { skipped } = await inThread(`return importDirectory(fs, ${JSON.stringify(other)}, { onSourceError: "skip" })`)

    expect(skipped).to.deep.equal(['a', 'b'].map(name => join(other, name)))
    expect(lockedFiles()).to.deep.equal(locked)
  })

  it('protects the files from previews, ignore files and records', async () => {
    const lock = JSON.stringify(join(store.path, 'lock.sqlite'))

    for (const [code, error] of [
      ['for await (const change of previewImport(fs, source + "/deep")) {}', { name: 'UnsupportedEntryError', path: store.path }],
      ['await importDirectory(fs, source, { ignore: ["deep"], ignoreFiles: ["roots.sqlite"] })', { name: 'UnsupportedEntryError', path: join(source, 'roots.sqlite') }],
      ['await importDirectory(fs, source, { ignore: ["deep"], ignoreFiles: ["roots.sqlite-shm"] })', { name: 'UnsupportedEntryError', path: join(source, 'roots.sqlite-shm') }],
      [`await importDirectory(fs, source, { ignore: ['*'], record: ${lock} })`, { name: 'InvalidOptionError', path: join(store.path, 'lock.sqlite') }],
      ['await importDirectory(fs, source, { ignore: ["*"], record: source + "/roots.sqlite" })', { name: 'InvalidOptionError', path: join(source, 'roots.sqlite') }]
    ] as const) {
      expect(await inThread(code), code).to.deep.include(error)
    }

    expect(lockedFiles()).to.deep.equal(locked)
  })

  it('protects the files from exports that read, replace or delete them', async () => {
    const sizes = Object.fromEntries(['roots.sqlite', 'roots.sqlite-shm'].map(name => [name, nodefs.statSync(join(source, name)).size]))
    const mirror = '{ update: "content", delete: true }'
    const before = nodefs.readdirSync(source, { recursive: true }).sort()

    for (const [code, path] of [
      [`await fs.addAll([{ path: '/roots.sqlite', content: new Uint8Array(${sizes['roots.sqlite']}) }]); await exportDirectory(fs, source, { update: "content" })`, 'roots.sqlite'],
      [`await fs.addAll([{ path: '/roots.sqlite-shm', content: new Uint8Array(${sizes['roots.sqlite-shm']}) }]); await exportDirectory(fs, source, { update: "content" })`, 'roots.sqlite-shm'],
      ['await fs.mkdir("/deep/store", { recursive: true }); await exportDirectory(fs, source)', 'deep/store'],
      ['await exportDirectory(fs, source + "/deep/store")', 'deep/store'],
      [`await fs.mkdir("/deep"); await exportDirectory(fs, source, ${mirror})`, 'deep/store'],
      [`await fs.writeFile("/deep", ""); await exportDirectory(fs, source, ${mirror})`, 'deep'],
      [`await fs.mkdir("/deep/store/x", { recursive: true }); await exportDirectory(fs, source, ${mirror})`, 'deep/store']
    ]) {
      expect(await inThread(code), code).to.include({ name: 'UnsupportedEntryError', path: join(source, path) })
    }

    expect(nodefs.readdirSync(source, { recursive: true }).sort()).to.deep.equal(before)
    expect(lockedFiles()).to.deep.equal(locked)
  })

  it('protects a hard link to one of the files from a comparing export', async () => {
    const link = join(source, 'link')
    nodefs.linkSync(join(source, 'roots.sqlite'), link)

    expect(await inThread(`
      await fs.addAll([{ path: '/link', content: new Uint8Array(${nodefs.statSync(link).size}) }])
      await exportDirectory(fs, source, { update: 'content' })
    `)).to.include({ name: 'UnsupportedEntryError', path: link })
    expect(lockedFiles()).to.deep.equal(locked)
  })

  it('allows imports to read a store once it is closed', async () => {
    await store.close()
    roots.close()

    expect(await inThread('return importDirectory(fs, source)')).to.deep.equal({ skipped: [] })
  })

  it('allows several imports to read one store at once', async () => {
    await store.close()
    roots.close()
    const inOther = inThread('for (let i = 0; i < 30; i++) await importDirectory(fs, source, { to: "/" + i })')
    const fs = memoryFs()

    for (let i = 0; i < 30; i++) {
      await importDirectory(fs, source, { to: `/${i}` })
    }

    expect(await inOther).to.deep.equal({ skipped: undefined })
  })

  it('preserves a database lock taken during an import, and closes the file', async () => {
    await takeWhileRead(join(source, 'roots.sqlite'), 'SELECT * FROM roots')
  })

  it('preserves a pack store lock taken during an import, and closes the file', async () => {
    await takeWhileRead(join(store.path, 'lock.sqlite'), 'BEGIN EXCLUSIVE')
  })

  async function takeWhileRead (path: string, lock: string): Promise<void> {
    await store.close()
    roots.close()
    const descriptors = openDescriptors(nodefs)
    const opened: DatabaseSync[] = []
    nodefs.readSync = (...parameters: unknown[]) => {
      nodefs.readSync = readSync
      const database = new DatabaseSync(path)
      opened.push(database)
      database.exec(lock)

      return Reflect.apply(readSync, nodefs, parameters)
    }

    expect(() => readHostFile(path, length => new Uint8Array(length))).to.throw().with.include({ name: 'UnsupportedEntryError', path })
    expect(lockedFiles()).to.include(path)
    opened[0].close()
    await importDirectory(memoryFs(), source)
    expect(openDescriptors(nodefs)).to.equal(descriptors)
  }
})

function startThread (): Worker {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const modules = ['../../../src/adapters/host/index', './host'].map(name => new URL(`${name}${extension}`, import.meta.url).href)

  return new Worker(`
    const { parentPort } = require('node:worker_threads')
    const AsyncFunction = (async () => {}).constructor
    const loading = Promise.all(${JSON.stringify(modules)}.map(module => import(module)))

    parentPort.on('message', async ({ code, source }) => {
      const [{ exportDirectory, importDirectory, previewImport }, { memoryFs }] = await loading
      const given = { exportDirectory, fs: memoryFs(), importDirectory, previewImport, source }

      try {
        const answer = await new AsyncFunction(...Object.keys(given), code)(...Object.values(given))
        parentPort.postMessage({ skipped: answer?.skipped.map(({ path }) => path) })
      } catch ({ name, path }) {
        parentPort.postMessage({ name, path })
      }
    })
  `, { eval: true })
}
