import { cp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'aegir/chai'
import { hostFiles } from '../../src/pack/files/files.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { blocks, Directories, putAll, withStore } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'

const options = { segmentBytes: 65_536 }

/** The host's files; once a temporary file of some name was made, another writer opens the store. */
function filesBeside (name: string, open: () => Promise<void>): Files {
  return {
    ...hostFiles,
    open: async (path, mode) => {
      const file = await hostFiles.open(path, mode)

      if (mode === 'create' && basename(path).startsWith(name) && path.endsWith('.tmp')) {
        await open()
      }

      return file
    }
  }
}

/** Whether a system's lock ends when its process closes another descriptor of the file */
const isLockLost = process.platform !== 'win32'

describe('a writer that lost the lock of a pack store', () => {
  const directories = new Directories()
  const at = { directory: '', first: new PackBlockstore('unopened', options) }

  beforeEach(async function () {
    if (!isLockLost) {
      this.skip()
    }

    at.directory = await directories.make()
    at.first = new PackBlockstore(at.directory, options)
    await at.first.open()
    await putAll(at.first, await blocks(50, 1_000))
    await at.first.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    // as any code of the process that reads the file, whose lock ends with that
    await rm(join(at.directory, 'lock.sqlite'))
  })

  afterEach(async () => {
    await at.first.close().catch(() => {})
    await directories.removeAll()
  })

  const refused = { name: 'StoreStateError' }
  const seconds: Record<string, (store: PackBlockstore) => Promise<void>> = {
    'did nothing': async () => {},
    'published a root': async store => { await store.roots.compareAndSet('second', undefined, Uint8Array.of(2)) },
    'wrote a segment': async store => { await putAll(store, await blocks(10, 10_000, 500)) },
    compacted: async store => {
      await store.delete((await blocks(1, 1_000))[0].cid)
      await store.compact()
    }
  }

  for (const [i, [what, work]] of Object.entries(seconds).entries()) {
    it(`is refused after another writer ${what}, and no acknowledged data is lost`, async () => {
      // a new segment at once, or the same one for long
      await withStore(at.directory, { segmentBytes: i % 2 === 0 ? 4_096 : 2 ** 20 }, work)
      const [{ cid, bytes }] = await blocks(1, 800, 900)
      await Promise.resolve(at.first.put(cid, bytes)).catch(() => {})
      await expect(at.first.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(9))).to.eventually.be.rejected.with.include(refused)
      await expect(at.first.sync()).to.eventually.be.rejected.with.include(refused)
      await at.first.close().catch(() => {})

      await withStore(at.directory, options, async store => {
        expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
        expect(await store.roots.get('second')).to.deep.equal(what === 'published a root' ? Uint8Array.of(2) : undefined)
        expect((await store.verify()).problems).to.deep.equal([])
      })
    })
  }

  for (const name of ['segment', 'store']) {
    it(`is refused if another one opens the store during its copy of ${name}`, async () => {
      const files = filesBeside(name, async () => {
        await rm(join(at.directory, 'lock.sqlite'), { force: true })
        await withStore(at.directory, options, async store => { await store.roots.compareAndSet('second', undefined, Uint8Array.of(2)) })
      })
      await expect(new PackBlockstore(at.directory, { ...options, files }).open()).to.eventually.be.rejected.with.include(refused)

      await withStore(at.directory, options, async store => {
        expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
        expect(await store.roots.get('second')).to.deep.equal(Uint8Array.of(2))
        expect((await store.verify()).problems).to.deep.equal([])
      })
      expect((await readdir(at.directory)).filter(left => left.endsWith('.tmp'))).to.deep.equal([])
    })
  }

  it('is refused while the other writer is open, which continues', async () => {
    const second = new PackBlockstore(at.directory, options)
    await second.open()

    try {
      await expect(at.first.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(9))).to.eventually.be.rejected.with.include(refused)
      expect(await second.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)
    } finally {
      await second.close()
    }

    await withStore(at.directory, options, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
    })
  })

  it('continues if a tool only reads the store or sets times', async () => {
    const copy = await directories.make()
    await cp(at.directory, copy, { recursive: true, filter: source => !source.endsWith('lock.sqlite') })
    await utimes(join(at.directory, 'store'), 1, 1)
    expect(await at.first.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)

    await withStore(copy, options, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })
  })

  it('is refused if the `store` file was removed or replaced by an older one', async () => {
    const copy = await directories.make()
    await cp(at.directory, copy, { recursive: true, filter: source => !source.endsWith('lock.sqlite') })
    const older = await readFile(join(copy, 'store'))
    await withStore(copy, options, async () => {})
    await rm(join(at.directory, 'store'))
    await expect(at.first.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))).to.eventually.be.rejected.with.include(refused)
    expect(String(older)).to.include('"epoch":1')
  })
})
