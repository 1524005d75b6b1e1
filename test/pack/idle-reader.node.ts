import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { Directories, numberedBlock, readBlock, withStore } from './stores.ts'
import { watchedFiles } from './watched-files.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

describe('a reader of a pack store after a long idle time', function () {
  this.timeout(60_000)
  const directories = new Directories()
  let directory: string

  beforeEach(async () => {
    directory = await directories.make()
    await withStore(directory, {}, async () => {})
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Fills the store beside a reader, and answers how many bytes that reads to learn of the last block and of a root. */
  async function bytesRead ({ count, blockBytes, segmentBytes }: { count: number, blockBytes: number, segmentBytes: number }): Promise<number> {
    let read = 0
    const options = { readonly: true, files: watchedFiles(length => { read += length }) }
    const [first, last] = [numberedBlock(0, blockBytes), numberedBlock(count - 1, blockBytes)]

    return withStore(directory, options, async reader => {
      await withStore(directory, { segmentBytes }, async writer => fill(writer, count, blockBytes))
      read = 0

      expect(await reader.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      expect(await readBlock(reader, first.cid)).to.deep.equal(first.bytes)
      expect(await readBlock(reader, last.cid)).to.deep.equal(last.bytes)

      return read
    })
  }

  it('uses the index instead of reading all newer records', async () => {
    expect(await bytesRead({ count: 1_200, blockBytes: 60_000, segmentBytes: 2 ** 24 })).to.be.below(2 ** 20)
  })

  it('uses the index of a single segment as well', async () => {
    expect(await bytesRead({ count: 1_200, blockBytes: 60_000, segmentBytes: 2 ** 28 })).to.be.below(2 ** 20)
  })

  it('uses the index between two segments if it was opened without one', async () => {
    await rm(join(directory, 'index.sqlite'))

    // the second segment makes too many
    expect(await bytesRead({ count: 120_000, blockBytes: 100, segmentBytes: 4 * 2 ** 20 })).to.be.below(2 ** 20 + 2 * 2 * 4 * 2 ** 20)
  })
})

async function fill (store: PackBlockstore, count: number, blockBytes: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { cid, bytes } = numberedBlock(i, blockBytes)
    await store.put(cid, bytes)
  }

  await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
}
