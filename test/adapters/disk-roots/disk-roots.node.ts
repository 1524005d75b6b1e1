import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expect } from 'aegir/chai'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { openStorePaths } from '../../../src/open-stores.ts'
import { childFile } from '../../child-file.ts'
import { rootStoreSuite } from '../../roots/suite.ts'
import type { ChildProcess } from 'node:child_process'

const holder = childFile(import.meta.url, 'holder')

rootStoreSuite('a file, through two handles', async () => {
  const directory = await fs.mkdtemp(path.join(tmpdir(), 'dagfs-roots-'))
  const roots = diskRoots(path.join(directory, 'roots.sqlite'))
  const others = diskRoots(pathToFileURL(path.join(directory, 'roots.sqlite')))

  return {
    roots,
    others,
    async close () {
      roots.close()
      others.close()
      await fs.rm(directory, { recursive: true })
    }
  }
})

describe('diskRoots', () => {
  let directory: string
  let file: string

  beforeEach(async () => {
    directory = await fs.mkdtemp(path.join(tmpdir(), 'dagfs-roots-'))
    file = path.join(directory, 'roots.sqlite')
  })

  afterEach(async () => {
    await fs.rm(directory, { recursive: true })
  })

  it('keeps roots after it is closed', async () => {
    const roots = diskRoots(file)
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    roots.close()

    expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
    roots.close()
  })

  it('leaves one file after it is closed', async () => {
    using roots = diskRoots(file)
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    roots.close()

    expect(await fs.readdir(directory)).to.deep.equal(['roots.sqlite'])
  })

  function isOpenStore (realPath: string): boolean {
    return [...openStorePaths()].includes(realPath)
  }

  it('marks its files as in use while open, also by a link', async () => {
    const link = `${directory}-link`
    await fs.symlink(directory, link)
    const files = ['', '-wal', '-shm', '-journal'].map(suffix => file + suffix)

    try {
      using roots = diskRoots(path.join(link, 'roots.sqlite'))
      await roots.get('site')
      expect(files.map(isOpenStore)).to.deep.equal([true, true, true, true])
      roots.close()
      expect(files.map(isOpenStore)).to.deep.equal([false, false, false, false])
      await roots.get('site')
      expect(isOpenStore(file)).to.equal(true)
    } finally {
      await fs.rm(link)
    }

    expect(isOpenStore(file)).to.equal(false)
  })

  it('refuses unknown options', () => {
    expect(() => diskRoots(file, { timeout: 1 } as object)).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'timeout' })
  })

  it('refuses a path that is not a file', () => {
    for (const given of [undefined, null, 1, { file }]) {
      expect(() => diskRoots(given as never)).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'file' })
    }
  })

  it('names the file when SQLite reports that it is not a database', async () => {
    await fs.writeFile(file, 'something else, and more than SQLite takes for the beginning of its own files, which have a hundred bytes for that')

    await expect(diskRoots(file).get('site')).to.eventually.be.rejected.with.include({ code: 'ERR_SQLITE_ERROR', path: file })
    await expect(diskRoots(pathToFileURL(file)).get('site')).to.eventually.be.rejected.with.property('path', file)
  })

  describe('while another connection holds the file', () => {
    let other: DatabaseSync

    beforeEach(async () => {
      using roots = diskRoots(file)
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))
      other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
    })

    afterEach(() => {
      other.close()
    })

    it('waits for the lock without blocking the event loop', async () => {
      using roots = diskRoots(file)
      const set = roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))
      setTimeout(() => { other.exec('COMMIT') }, 50)

      expect(await set).to.equal(true)
    })

    it('reads while the file is locked', async () => {
      using roots = diskRoots(file)

      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
    })

    it('says how long it waited when the wait times out', async () => {
      using roots = diskRoots(file, { timeoutMs: 30 })

      await expect(roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.eventually.be.rejected
        .with.include({ name: 'StoreLockedError', code: 'ERR_STORE_LOCKED', path: file })
    })

    it('stops waiting when aborted', async () => {
      using roots = diskRoots(file)
      const reason = new Error('stop')
      const abort = new AbortController()
      setTimeout(() => { abort.abort(reason) }, 30)

      await expect(roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2), { signal: abort.signal })).to.eventually.be.rejected.with.property('cause', reason)
    })
  })

  describe('when processes are killed', function () {
    this.timeout(120_000)

    let child: ChildProcess

    async function startHolder (mode: string): Promise<void> {
      child = fork(holder, [file, mode], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      await once(child, 'message')
    }

    async function kill (): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }

    afterEach(() => {
      child.kill('SIGKILL')
    })

    it('gets the lock at once after its holder was killed', async () => {
      using roots = diskRoots(file, { timeoutMs: 1_000 })
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))
      await startHolder('hold')
      await expect(diskRoots(file, { timeoutMs: 0 }).compareAndSet('site', Uint8Array.of(1), Uint8Array.of(9))).to.eventually.be.rejected.with.property('code', 'ERR_STORE_LOCKED')
      await kill()

      // what the dead process had begun is not there
      expect(await diskRoots(file, { timeoutMs: 0 }).compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)
    })

    it('loses no acknowledged root, and opens without repair', async () => {
      for (let round = 0; round < 10; round++) {
        await startHolder('count')
        let answered = 0
        child.on('message', count => { answered = Number(count) })
        await new Promise(resolve => setTimeout(resolve, 20 + round * 7))
        await kill()
        using roots = diskRoots(file)
        const record = await roots.get('count') ?? new Uint8Array(4)

        expect(new DataView(record.buffer, record.byteOffset).getUint32(0)).to.be.at.least(answered)
      }
    })
  })
})
