import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import { BlockIndex } from '../../src/pack/block-index/block-index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { asNobody } from '../as-nobody.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

describe('a pack store with unusual files', () => {
  const directories = new Directories()
  let directory: string
  let index: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    index = join(directory, 'index.sqlite')
    put = await blocks(20, 500)
    await withStore(directory, {}, async store => putAll(store, put))
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function expectRead (): Promise<void> {
    await withStore(directory, { readonly: true }, async store => expectBlocks(store, put))
  }

  async function expectRefused (options: { readonly readonly?: boolean }, error: { readonly name: string, readonly path: string }, cause: string | undefined): Promise<void> {
    const refused: unknown = await new PackBlockstore(directory, options).open().catch((err: unknown) => err)
    expect(refused).to.include(error)
    expect(refused instanceof Error && refused.cause instanceof Error && 'code' in refused.cause ? refused.cause.code : undefined).to.equal(cause)
  }

  it('is refused to writers, but read, if its lock is not a database', async () => {
    const path = join(directory, 'lock.sqlite')
    await writeFile(path, 'x'.repeat(5_000))
    await expectRefused({}, { name: 'StoreStateError', path }, 'ERR_SQLITE_ERROR')
    await expectRead()
  })

  it('is refused to writers, but read, if its index is a directory', async () => {
    await rm(index)
    await mkdir(index)
    await expectRefused({}, { name: 'StoreStateError', path: index }, 'ERR_SQLITE_ERROR')
    await expectRead()
  })

  it('is refused to writers, but read, if its index is unreadable', async () => {
    await asNobody(directory, async () => {
      await chmod(index, 0o200)
      await expectRefused({}, { name: 'StoreStateError', path: index }, 'ERR_SQLITE_ERROR')
      await expectRead()
    })
  })

  Object.entries({ reading: true, writing: false }).forEach(([purpose, readonly]) => {
    it(`is not opened for ${purpose} if a directory has a segment's name`, async () => {
      const path = join(directory, 'segment-00000002.car')
      await mkdir(path)
      await expectRefused({ readonly }, { name: 'CorruptStoreError', path }, 'EISDIR')
    })

    it(`is not opened for ${purpose} if a socket or circular link replaces a segment`, async () => {
      const path = join(directory, 'segment-00000002.car')
      const server = createServer()
      await new Promise<void>(resolve => { server.listen(path, resolve) })
      await expectRefused({ readonly }, { name: 'CorruptStoreError', path }, 'EINVAL')
      await new Promise(resolve => { server.close(resolve) })
      await symlink(path, path)
      await expectRefused({ readonly }, { name: 'CorruptStoreError', path }, 'ELOOP')
    })

    it(`is neither opened for ${purpose} nor verified if a sparse file replaces a segment`, async () => {
      for (const [number, bytes] of [[2, 2 ** 42], [99, 2 ** 32]]) {
        const path = join(directory, `segment-${String(number).padStart(8, '0')}.car`)
        await writeFile(path, '')
        await truncate(path, bytes)
        await expectRefused({ readonly }, { name: 'CorruptStoreError', path }, undefined)
        await expect(new PackBlockstore(directory, { readonly }).verify()).to.eventually.be.rejected.with.property('path', path)
        expect((await stat(path)).size).to.equal(bytes)
        await rm(path)
        await expectRead()
      }
    })

    it(`is not opened for ${purpose} if its path is a file`, async () => {
      await rm(directory, { recursive: true })
      await writeFile(directory, 'x')
      await expectRefused({ readonly }, { name: 'CorruptStoreError', path: directory }, 'ENOTDIR')
    })
  })

  it('is refused to writers, but read, if its index or lock is a pipe', async () => {
    for (const name of ['index.sqlite', 'lock.sqlite']) {
      const path = join(directory, name)
      await rename(path, `${path}.away`)
      spawnSync('mkfifo', [path])
      await expectRefused({}, { name: 'StoreStateError', path }, undefined)
      await expectRead()
      await rename(`${path}.away`, path)
    }
  })

  it('keeps directories with the names of its temporary files', async () => {
    const names = ['segment.tmp', 'segment-00112233.tmp', 'store-00112233.tmp']
    await Promise.all(names.map(async name => mkdir(join(directory, name))))
    await withStore(directory, {}, async store => expectBlocks(store, put))
    expect(await readdir(directory)).to.include.members(names)
  })

  it('detects a truncated index of any length', async () => {
    const { size } = await stat(index)
    const bytes = await readFile(index)
    const page = bytes.readUInt16BE(16)

    for (const cut of [1, page - 1, page, page + 1, 2 * page]) {
      await writeFile(index, bytes)
      await truncate(index, size - cut)
      await expectRead()
      await withStore(directory, {}, async () => {})
      expect((await stat(index)).size).to.equal(size)
      await expectRead()
    }
  })

  it('keeps its process\'s locks on the index when it is opened', async () => {
    using writer = new DatabaseSync(index)
    writer.exec('BEGIN EXCLUSIVE')
    expect(BlockIndex.read(index, new Uint8Array(16))).to.equal(undefined)

    const other = 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("SELECT * FROM meta")'
    expect(spawnSync(process.execPath, ['-e', other, index], { encoding: 'utf8' }).stderr).to.include('database is locked')
  })
})

describe('a read-only pack store that is not open', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('can be verified, but not repaired', async () => {
    const directory = await directories.make()
    const segment = join(directory, 'segment-00000001.car')
    const [damaged] = await blocks(1, 500)
    await withStore(directory, {}, async store => { await store.put(damaged.cid, damaged.bytes) })
    const bytes = await readFile(segment)
    bytes[bytes.indexOf(damaged.bytes)] ^= 1
    // what stands behind the last record is cut off when the store is opened for writing
    const changed = Buffer.concat([bytes, new Uint8Array(100)])
    await writeFile(segment, changed)
    const store = new PackBlockstore(directory, { readonly: true })

    expect((await store.verify()).problems).to.have.lengthOf(1)
    await expect(store.verify({ drop: true })).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    await expect(store.verify({ heal: { get: async function * () { yield damaged.bytes } } })).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    expect(Buffer.compare(await readFile(segment), changed)).to.equal(0)
  })
})
