import { cp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import { CorruptStoreError } from '../../src/errors.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 20_000, recordAfterMs: 100_000 }

describe('a rebuilt index of a pack store', () => {
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  /** Four segments, and in the last one the deletion of every tenth block */
  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(140, 500)
    await withStore(directory, options, async store => {
      await putAll(store, put)

      for (const { cid } of deleted()) {
        await store.delete(cid)
      }
    })
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  function deleted (): TestBlock[] {
    return put.filter((_, i) => i % 10 === 0)
  }

  function live (): TestBlock[] {
    return put.filter((_, i) => i % 10 !== 0)
  }

  async function segments (): Promise<string[]> {
    return (await readdir(directory)).filter(name => name.endsWith('.car')).sort().map(name => join(directory, name))
  }

  /** Has the index name a last record that the log does not have, as where it is of another past. */
  function spoil (): void {
    const database = new DatabaseSync(join(directory, 'index.sqlite'))
    database.exec('UPDATE coverage SET record_key = zeroblob(36) WHERE segment = (SELECT MAX(segment) FROM coverage)')
    database.close()
  }

  /** What the store has then, of a process that is killed while it has it open */
  async function killed (work: (store: PackBlockstore) => Promise<unknown> = async () => {}): Promise<void> {
    const copy = await directories.make()
    await withStore(directory, options, async store => {
      await work(store)
      await cp(directory, copy, { recursive: true })
    })
    directory = copy
  }

  /** Which of the blocks cannot be read, and that `verify()` names just these and no block that was deleted. */
  async function lost (readonly = false): Promise<TestBlock[]> {
    return withStore(directory, { ...options, readonly }, async store => {
      const lost: TestBlock[] = []

      for (const block of live()) {
        const found = await readBlock(store, block.cid).catch((err: unknown) => err)

        if (found instanceof CorruptStoreError) {
          lost.push(block)
        } else {
          expect(found).to.deep.equal(block.bytes)
        }
      }

      for (const { cid } of deleted()) {
        expect(await store.has(cid).catch(() => false)).to.equal(false)
      }

      const named = (await store.verify()).problems.flatMap(({ cid }) => cid === undefined ? [] : [String(cid)])
      expect(named).to.have.members(lost.map(({ cid }) => String(cid)))

      return lost
    })
  }

  it('is complete for a reader during the rebuild', async () => {
    await withStore(directory, { ...options, readonly: true }, async reader => {
      expect(await readBlock(reader, put[1].cid)).to.deep.equal(put[1].bytes)
      // with a turn of the event loop its look-up ends
      await new Promise(resolve => setImmediate(resolve))
      spoil()

      await withStore(directory, options, async () => {
        await expectBlocks(reader, live())
      })
    })
  })

  it('knows what was lost after a rebuild was killed', async () => {
    const [, second] = await segments()
    await truncate(second, 9_000)
    spoil()
    const before = await lost(true)
    await killed()

    expect(before).to.not.deep.equal([])
    expect(await lost()).to.deep.equal(before)
    // once more, out of the one that was made
    spoil()
    expect(await lost()).to.deep.equal(before)
    expect(await lost(true)).to.deep.equal(before)
  })

  it('knows the blocks of a missing segment, and finds them once it is back', async () => {
    const [, second] = await segments()
    const bytes = await readFile(second)
    await rm(second)
    const before = await lost()
    spoil()

    expect(before).to.not.deep.equal([])
    expect(await lost(true)).to.deep.equal(before)
    expect(await lost()).to.deep.equal(before)
    expect(await lost()).to.deep.equal(before)

    await writeFile(second, bytes)
    expect(await lost(true)).to.deep.equal([])
    expect(await lost()).to.deep.equal([])
  })

  // counted from the block's bytes: length, version, codec, multihash
  const heads = { length: -38, version: -36, codec: -35, digest: -10 }

  Object.entries(heads).forEach(([part, at]) => {
    it(`has a block behind a damaged ${part}`, async () => {
      const [, , third] = await segments()
      const bytes = await readFile(third)
      bytes[bytes.indexOf(put[95].bytes) + at] ^= 4
      await writeFile(third, bytes)

      const expectReadable = async (readonly: boolean): Promise<void> => {
        spoil()
        await withStore(directory, { ...options, readonly }, async store => {
          expect(await readBlock(store, put[95].cid)).to.deep.equal(put[95].bytes)
        })
      }

      await expectReadable(true)
      await expectReadable(false)
      await expectReadable(true)
    })
  })

  it('has a block put again if the segment with its deletion was missing', async () => {
    const [first] = await segments()
    const again = put[3]
    await withStore(directory, options, async store => {
      await store.delete(again.cid)
      await store.sync()
      await store.put(again.cid, again.bytes)

      await putAll(store, await blocks(60, 500, 5_000))
    })
    // the deletion and the second put stand in the fourth segment, and others behind it
    const fourth = (await segments())[3]
    const bytes = await readFile(fourth)
    await rm(fourth)
    await truncate(first, 9_000)
    spoil()
    await withStore(directory, options, async () => {})
    await writeFile(fourth, bytes)
    spoil()

    await withStore(directory, options, async store => {
      expect(await readBlock(store, again.cid)).to.deep.equal(again.bytes)
      const { problems } = await store.verify()
      expect(problems.filter(({ kind }) => kind === 'block')).to.not.deep.equal([])
      expect(problems.map(({ cid }) => String(cid))).to.not.include(String(again.cid))
    })
  })

  it('keeps the order of puts and deletions without a segment\'s records, and with them', async () => {
    const [first] = await segments()
    const bytes = await readFile(first)
    await truncate(first, 3_000)
    spoil()
    const before = await lost()

    expect(before).to.not.deep.equal([])
    expect(await lost()).to.deep.equal(before)
    expect(await lost(true)).to.deep.equal(before)

    await writeFile(first, bytes)
    expect(await lost(true)).to.deep.equal([])
    expect(await lost()).to.deep.equal([])
  })

  it('does not report later deletions as losses', async () => {
    const index = await readFile(join(directory, 'index.sqlite'))
    const more = live().slice(0, 5)
    await killed(async store => {
      for (const { cid } of more) {
        await store.delete(cid)
      }

      await store.sync()
    })
    await writeFile(join(directory, 'index.sqlite'), index)
    await truncate((await segments())[0], 300)
    spoil()

    await withStore(directory, options, async store => {
      const named = new Set((await store.verify()).problems.map(({ cid }) => String(cid)))
      expect(named).to.include(String(live()[6].cid))
      expect(more.filter(({ cid }) => named.has(String(cid)))).to.deep.equal([])
    })
  })
})
