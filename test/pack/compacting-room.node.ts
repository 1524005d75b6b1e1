import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { changedFiles } from './changed-files.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'

const segmentBytes = 100_000
// of which four fit into a segment
const blockBytes = 24_000

describe('compaction of a pack store', () => {
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]
  let unlinked: string[]
  /** What was written before each segment went, and behind the last one */
  let written: number[]
  /** How much the segments took at the most */
  let peak: number

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(40, blockBytes)
    unlinked = []
    written = [0]
    peak = 0
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function usedBytes (): Promise<number> {
    const names = (await readdir(directory)).filter(name => name.endsWith('.car'))
    const sizes = await Promise.all(names.map(async name => (await stat(join(directory, name))).size))

    return sizes.reduce((sum, size) => sum + size, 0)
  }

  function watched (): Files {
    const files = changedFiles(file => ({
      async write (bytes, position) {
        await file.write(bytes, position)
        written[written.length - 1] += bytes.byteLength
        peak = Math.max(peak, await usedBytes())
      }
    }))

    return {
      ...files,
      async unlink (path) {
        await files.unlink(path)
        unlinked.push(basename(path))
        written.push(0)
      }
    }
  }

  /** Deletes all blocks of the third and fourth segment, and the first one of each other segment. */
  async function compacted (): Promise<TestBlock[]> {
    const live = put.filter((_, i) => i % 4 !== 0 && (i < 8 || i >= 16))
    await withStore(directory, { segmentBytes }, async store => {
      await all(store.putMany(put))
    })
    await withStore(directory, { segmentBytes, files: watched(), recordAfterMs: 60_000 }, async store => {
      await all(store.deleteMany(put.filter(each => !live.includes(each)).map(({ cid }) => cid)))
      written = [0]
      peak = await usedBytes()
      await store.compact()
    })

    return live
  }

  it('needs space for one segment at a time', async () => {
    await withStore(directory, { segmentBytes }, async store => {
      await all(store.putMany(put))
    })
    const before = await usedBytes()
    await withStore(directory, { segmentBytes, files: watched(), recordAfterMs: 60_000 }, async store => {
      await all(store.deleteMany(put.filter((_, i) => i % 4 === 0).map(({ cid }) => cid)))
      await store.compact()
    })

    expect(unlinked).to.have.lengthOf.at.least(10)
    expect(peak).to.be.below(before + segmentBytes)
  })

  it('begins with segments of garbage alone, for which it writes only a record', async () => {
    await compacted()

    expect(unlinked.slice(0, 2)).to.deep.equal(['segment-00000003.car', 'segment-00000004.car'])
    expect(written[0]).to.be.within(1, 5_000)
    expect(written[1]).to.equal(0)
    expect(written[2]).to.be.above(2 * blockBytes)
  })

  it('keeps live blocks', async () => {
    const live = await compacted()

    await withStore(directory, { readonly: true }, async store => {
      expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.have.members(live.map(({ cid }) => String(cid)))

      await expectBlocks(store, live)

      expect((await store.verify()).problems).to.deep.equal([])
    })
  })
})
