import { existsSync } from 'node:fs'
import { cp, lstat, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { CorruptStoreError } from '../../src/errors.ts'
import { BlockIndex } from '../../src/pack/block-index/block-index.ts'
import { LocationTable } from '../../src/pack/block-index/location-table.ts'
import { turn } from '../../src/turn.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, bytesOf, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 20_000 }

async function indexFiles (directory: string): Promise<string[]> {
  return (await readdir(directory)).filter(name => name.startsWith('index.sqlite'))
}

function keyOf (number: number): Uint8Array {
  return Uint8Array.of(0x55, 0x12, 0x20, ...bytesOf(number, 32))
}

/** Blocks whose offsets are their numbers */
function tableOf (from: number, count: number): LocationTable {
  const table = new LocationTable()

  for (let number = from; number < from + count; number++) {
    table.set(keyOf(number), { segment: 1, offset: number, length: 3 })
  }

  return table
}

describe('the index of a pack store', () => {
  const directories = new Directories()
  let directory: string
  let copies: string
  let live: TestBlock[]
  let gone: TestBlock[]

  /** Four sessions of puts, deletions, compaction and puts again, and a copy of the index after each. */
  beforeEach(async () => {
    directory = await directories.make()
    copies = await directories.make()
    const put = await blocks(120, 500)
    live = put.filter((_, i) => i % 3 !== 0)
    gone = put.filter((_, i) => i % 3 === 0)

    for (let session = 0; session < 4; session++) {
      const removed = gone.slice(session * 10, session * 10 + 10)
      await withStore(directory, options, async store => {
        await putAll(store, put.slice(session * 30, session * 30 + 30))

        for (const { cid } of removed) {
          await store.delete(cid)
        }

        if (session === 2) {
          const kept = await all(store.getAll())
          await store.gc({ roots: kept.map(({ cid }) => cid), links: () => [] })
        }
      })

      for (const name of await indexFiles(directory)) {
        await cp(join(directory, name), join(copies, `${session}`, name))
      }
    }
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function removeIndex (): Promise<void> {
    for (const name of await indexFiles(directory)) {
      await rm(join(directory, name))
    }
  }

  async function expectWhole (readonly: boolean): Promise<void> {
    await withStore(directory, { ...options, readonly }, async store => {
      await expectBlocks(store, live)

      for (const { cid } of gone) {
        expect(await store.has(cid)).to.equal(false)
      }

      expect(await all(store.getAll())).to.have.lengthOf(live.length)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  }

  const cases: Array<[claim: string, change: () => Promise<void>]> = [
    ['that is missing', removeIndex],
    ['that is empty', async () => writeFile(join(directory, 'index.sqlite'), '')],
    ['that is not a database', async () => writeFile(join(directory, 'index.sqlite'), 'x'.repeat(10_000))],
    ['that is truncated', async () => truncate(join(directory, 'index.sqlite'), 9_000)],
    ['that is torn', async () => {
      const bytes = await readFile(join(directory, 'index.sqlite'))
      await writeFile(join(directory, 'index.sqlite'), bytes.fill(0, 4_096, 12_288))
    }],
    ['of another store', async () => {
      const other = await directories.make()
      await withStore(other, options, async store => {
        await store.put(gone[0].cid, gone[0].bytes)
      })
      await cp(join(other, 'index.sqlite'), join(directory, 'index.sqlite'))
    }],
    ...[0, 1, 2, 3].map((session): [string, () => Promise<void>] => [`from the end of session ${session}`, async () => {
      await removeIndex()
      await cp(join(copies, `${session}`), directory, { recursive: true })
    }])
  ]

  for (const [claim, change] of cases) {
    it(`${claim} is rebuilt from the segments`, async () => {
      await change()
      await expectWhole(true)
      await expectWhole(false)
      await expectWhole(true)
    })
  }

  it('is kept in memory if it cannot be created', async () => {
    await removeIndex()
    await symlink(join(directory, 'absent', 'index.sqlite'), join(directory, 'index.sqlite'))
    await expectWhole(false)
    await expectWhole(true)
    expect((await lstat(join(directory, 'index.sqlite'))).isSymbolicLink()).to.equal(true)
  })

  /** Leaves the index as a process does that is killed in the midst of a transaction. */
  async function leaveTransaction (): Promise<void> {
    const path = join(directory, 'index.sqlite')
    const index = new DatabaseSync(path)
    // pages that do not fit into memory are in the file before the transaction is over, and the journal is right at any time
    index.exec("INSERT INTO meta VALUES ('mark', 1); PRAGMA cache_size = 1; PRAGMA synchronous = OFF; BEGIN; DELETE FROM blocks")
    const mark = index.prepare('INSERT INTO meta VALUES (?, ?)')

    for (let i = 0; i < 1_000; i++) {
      mark.run(`mark ${i}`, bytesOf(i, 100))
    }

    const [file, journal] = await Promise.all([readFile(path), readFile(`${path}-journal`)])
    index.exec('ROLLBACK')
    index.close()
    // the first page, which is written first, tells of more of them than the file has so far
    file.writeUInt32BE(file.byteLength / 4_096 + 10, 28)
    await writeFile(path, file)
    await writeFile(`${path}-journal`, journal)
  }

  it('keeps its last complete transaction after a kill', async () => {
    await leaveTransaction()
    await expectWhole(false)
    await expectWhole(true)
    expect(await indexFiles(directory)).to.deep.equal(['index.sqlite'])
    using left = new DatabaseSync(join(directory, 'index.sqlite'))
    expect(left.prepare("SELECT name FROM meta WHERE name LIKE 'mark%'").all().map(({ name }) => name)).to.deep.equal(['mark'])
  })

  it('does not block readers after a kill during a transaction', async () => {
    await withStore(directory, { ...options, readonly: true }, async store => {
      expect(await readBlock(store, live[0].cid)).to.deep.equal(live[0].bytes)
      // a reader holds the index for as long as that
      await turn()
      await leaveTransaction()
      await expectWhole(true)

      await expectBlocks(store, live)

      expect(await store.has(gone[0].cid)).to.equal(false)
    })
  })

  it('does not block readers during a long write', async () => {
    using writer = new DatabaseSync(join(directory, 'index.sqlite'))

    await withStore(directory, { ...options, readonly: true }, async store => {
      writer.exec('BEGIN EXCLUSIVE')
      await expectWhole(true)

      await expectBlocks(store, live)

      expect(await store.has(gone[0].cid)).to.equal(false)
    })
  })

  it('reports a lock if all of it is needed, until it is released', async () => {
    await withStore(directory, { ...options, readonly: true }, async store => {
      using writer = new DatabaseSync(join(directory, 'index.sqlite'))
      writer.exec('BEGIN EXCLUSIVE')
      await expect(store.verify()).to.eventually.be.rejected.with.include({ code: 'ERR_STORE_STATE', path: join(directory, 'index.sqlite') })
      writer.exec('COMMIT')
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('is written later after a long read', async () => {
    const more = await blocks(50, 50, 5_000)
    using reader = new DatabaseSync(join(directory, 'index.sqlite'), { readOnly: true })
    const countRows = (): number => Number(reader.prepare('SELECT COUNT(*) AS count FROM blocks').get()?.count)
    reader.exec('BEGIN')
    const before = countRows()

    await withStore(directory, options, async store => putAll(store, more))
    reader.exec('COMMIT')
    expect(countRows()).to.equal(before)

    live.push(...more)
    await expectWhole(true)
    await expectWhole(false)
    expect(countRows()).to.equal(before + more.length)
  })

  it('is not locked by a reader that stops halfway', async () => {
    const path = join(directory, 'another.sqlite')
    const writer = BlockIndex.write(path, new Uint8Array(16))
    await writer.apply(tableOf(0, 500), { coverage: new Map() })
    const reader = BlockIndex.read(path, new Uint8Array(16))

    const rows = reader?.blocks()
    await turn()
    expect(rows?.next().value).to.have.nested.property('location.segment', 1)
    rows?.return(undefined)

    // else it is refused: the database is locked
    await writer.apply(tableOf(500, 1), { coverage: new Map() })
    expect([...reader?.blocks() ?? []]).to.have.lengthOf(501)
    reader?.close()
    writer.close()
  })

  it('fails with a StoreStateError if another process drops what is made anew', async () => {
    const path = join(directory, 'another.sqlite')
    const index = BlockIndex.write(path, new Uint8Array(16))
    const next = index.remake()
    // as a process does that opens the store for writing, without its lock
    BlockIndex.write(path, new Uint8Array(16)).close()

    await expect(next.apply(tableOf(0, 500), { coverage: new Map() })).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    expect(() => { next.takePlace() }).to.throw().with.property('name', 'StoreStateError')
    index.close()
  })

  it('tells a reader that stopped halfway when it was closed', async () => {
    const index = BlockIndex.write(join(directory, 'another.sqlite'), new Uint8Array(16))
    await index.apply(tableOf(0, 500), { coverage: new Map() })
    const rows = index.blocks()
    rows.next()
    index.close()

    expect(() => rows.next()).to.throw().with.property('name', 'StoreStateError')
  })

  it('is updated without a WAL for a few changes', async () => {
    const path = join(directory, 'another.sqlite')
    const index = BlockIndex.write(path, new Uint8Array(16))
    const add = async (from: number, count: number): Promise<boolean> => {
      await index.apply(tableOf(from, count), { coverage: new Map(), acknowledged: from })

      return existsSync(`${path}-wal`)
    }

    try {
      expect(await add(0, 200)).to.equal(false)
      expect(await add(1_000, 17)).to.equal(false)
      expect(await add(2_000, 3_001)).to.equal(true)
      expect([199, 200, 1_016, 1_017, 2_000, 5_000, 5_001].map(number => index.find(keyOf(number))?.offset)).to.deep.equal([199, undefined, 1_016, undefined, 2_000, 5_000, undefined])
      expect([...index.blocks()]).to.have.lengthOf(3_218)
      // what is acknowledged stays so
      await add(1, 1)
      expect(index.acknowledged).to.equal(2_000)
    } finally {
      index.close()
    }

    expect(existsSync(`${path}-wal`)).to.equal(false)
  })

  describe('of a discarded future', () => {
    let kept: TestBlock[]
    let given: TestBlock[]
    let later: TestBlock[]

    async function put (more: readonly TestBlock[]): Promise<void> {
      await withStore(directory, options, async store => {
        for (const { cid, bytes } of more) {
          await store.put(cid, bytes)
          await store.sync()
        }
      })
    }

    /**
     * A store goes on in its first segment and deletes a block; then that segment is put back as it was, and another
     * future begins, in which the first segment ends earlier. What is left beside it is the index of the first future.
     */
    beforeEach(async () => {
      directory = await directories.make()
      kept = await blocks(5, 500)
      given = await blocks(5, 500, 1_000)
      // the first of them does not fit into the first segment any more
      later = [...await blocks(1, options.segmentBytes - 1_000, 2_000), ...await blocks(40, 500, 3_000)]
      const [segment, index] = ['segment-00000001.car', 'index.sqlite'].map(name => join(directory, name))

      await put(kept)
      const before = await readFile(segment)
      await put(given)
      await withStore(directory, options, async store => store.delete(kept[0].cid))
      const indexOfFuture = await readFile(index)

      await removeIndex()
      await writeFile(segment, before)
      await put(later)
      await removeIndex()
      await writeFile(index, indexOfFuture)
    })

    async function expectSecondFuture (readonly: boolean): Promise<void> {
      await withStore(directory, { ...options, readonly }, async store => {
        await expectBlocks(store, [...kept, ...later])

        for (const { cid } of given) {
          await expect(readBlock(store, cid)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
        }

        expect((await store.verify()).problems).to.deep.equal([])
      })
    }

    async function expectToBeTold (): Promise<void> {
      await expectSecondFuture(true)
      await expectSecondFuture(false)
      await expectSecondFuture(true)
    }

    it('is distinguished from a truncated segment', expectToBeTold)

    it('is detected when the next segment was removed', async () => {
      const index = join(directory, 'index.sqlite')
      const indexOfFuture = await readFile(index)
      await withStore(directory, options, async store => {
        const second = later.slice(0, 30)

        for (const { cid } of second) {
          await store.delete(cid)
        }

        await store.compact({ minGarbage: 0.3 })

        await putAll(store, second)
      })
      expect(await readdir(directory)).to.include('segment-00000001.car').and.not.include('segment-00000002.car')
      await removeIndex()
      await writeFile(index, indexOfFuture)
      await expectToBeTold()
    })
  })

  async function expectNamed (readonly: boolean): Promise<void> {
    await withStore(directory, { ...options, readonly }, async store => {
      const lost: string[] = []

      for (const { cid, bytes } of live) {
        const found = await readBlock(store, cid).catch((err: unknown) => err)

        if (found instanceof CorruptStoreError) {
          lost.push(String(cid))
        } else {
          expect(found).to.deep.equal(bytes)
        }
      }

      const named = (await store.verify()).problems.flatMap(({ cid }) => cid === undefined ? [] : [String(cid)])
      expect(named.sort()).to.deep.equal(lost.sort())
      expect(lost).to.not.deep.equal([])
    })
  }

  it('names the blocks of a truncated segment', async () => {
    const segments = (await readdir(directory)).filter(name => name.endsWith('.car')).sort()
    await truncate(join(directory, segments[0]), 9_000)

    await expectNamed(true)
    await expectNamed(false)
    await expectNamed(true)
  })
})
