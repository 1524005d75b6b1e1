import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

// three of the blocks fit into a segment
const options = { segmentBytes: 4_096, recordAfterMs: 60_000 }

describe('a block of a pack store with an unrecorded deletion, put again', () => {
  const directories = new Directories()
  let directory: string
  let twice: TestBlock
  let kept: TestBlock[]
  let garbage: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    const [first, ...others] = await blocks(6, 1_000)
    twice = first
    kept = others.slice(0, 2)
    garbage = others.slice(2)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Has the first segment keep a copy of the block, which is collected with the second one. */
  async function collectSecondCopy (writer: PackBlockstore, beforehand: () => Promise<void> = async () => {}): Promise<void> {
    await putAll(writer, [twice, ...kept, garbage[0]])
    await writer.delete(twice.cid)
    await putAll(writer, [twice, ...garbage.slice(1)])
    await writer.sync()
    await beforehand()
    const { freedBlocks } = await writer.gc({ roots: kept.map(({ cid }) => cid), links: () => [], keepUncommitted: false, minGarbage: 0.5 })
    expect(freedBlocks).to.equal(1 + garbage.length)
    expect(await writer.has(twice.cid)).to.equal(false)
  }

  it('is readable beside its writer once put after a collection', async () => {
    await withStore(directory, options, async writer => {
      await withStore(directory, { ...options, readonly: true }, async reader => {
        await collectSecondCopy(writer, async () => {
          expect(await reader.has(twice.cid)).to.equal(true)
        })
        await writer.compact({ minGarbage: 0.9 })
        await writer.put(twice.cid, twice.bytes)
        await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
        expect(await reader.roots.get('main')).to.deep.equal(Uint8Array.of(1))
        expect(await readBlock(reader, twice.cid)).to.deep.equal(twice.bytes)
      })
    })
  })

  it('stays collected when the index is rebuilt and others are compacted', async () => {
    await withStore(directory, options, async writer => {
      await collectSecondCopy(writer)
      await writer.compact({ minGarbage: 0.9 })
      expect(await writer.has(twice.cid)).to.equal(false)
    })

    await rm(join(directory, 'index.sqlite'))

    await withStore(directory, options, async store => {
      expect(await store.has(twice.cid)).to.equal(false)
    })
  })
})
