import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

// one block in each segment, and more segments than are kept open
const options = { segmentBytes: 4_096 }
const count = 140

describe('a reader of a pack store that is behind the last changes', () => {
  const directories = new Directories()
  let directory: string
  let gone: TestBlock[]
  let live: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    const put = await blocks(count, 3_500)
    gone = put.slice(0, 5)
    live = put.slice(5)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A reader of all blocks that have been put, which the index does not know yet, beside their writer */
  async function withReader (work: (reader: PackBlockstore, writer: PackBlockstore) => Promise<void>): Promise<void> {
    await withStore(directory, options, async writer => {
      await putAll(writer, [...gone, ...live])
      await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
      await withStore(directory, { ...options, readonly: true }, async reader => work(reader, writer))
    })
  }

  async function collect (writer: PackBlockstore): Promise<void> {
    const { freedBlocks } = await writer.gc({ roots: live.map(({ cid }) => cid), links: () => [], keepUncommitted: false })
    expect(freedBlocks).to.equal(gone.length)
  }

  async function deleteAndCompact (writer: PackBlockstore): Promise<void> {
    for (const { cid } of gone) {
      await writer.delete(cid)
    }

    await writer.compact()
  }

  Object.entries({ 'were collected': collect, 'were deleted, and their bytes given back': deleteAndCompact }).forEach(([event, rewrite]) => {
    it(`does not have blocks that ${event}, and reports no damage`, async () => {
      await withReader(async (reader, writer) => {
        await rewrite(writer)
        await writer.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
        expect(await reader.roots.get('main')).to.deep.equal(Uint8Array.of(2))

        for (const { cid } of gone) {
          expect(await reader.has(cid)).to.equal(false)
          await expect(readBlock(reader, cid)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
        }

        await expectBlocks(reader, live)

        expect(await reader.verify()).to.deep.include({ blocks: live.length, problems: [] })
      })
    })

    it(`learns that blocks ${event} by reading them`, async () => {
      await withReader(async (reader, writer) => {
        await rewrite(writer)
        await expect(readBlock(reader, gone[0].cid)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
      })
    })
  })

  it('still reports a block as damaged if its segment is missing unexpectedly', async () => {
    await withReader(async (reader, writer) => {
      await collect(writer)
      await rm(join(directory, `segment-${String(gone.length + 1).padStart(8, '0')}.car`))
      expect(await reader.has(live[0].cid)).to.equal(true)
      await expect(readBlock(reader, live[0].cid)).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
      const { problems } = await reader.verify()
      expect(problems.map(({ kind, cid }) => `${kind} ${cid}`)).to.deep.equal(['segment undefined', `block ${live[0].cid}`])
    })
  })
})
