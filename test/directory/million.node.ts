import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { blockReader, blockWriter } from '../../src/blockstore/index.ts'
import { buildDirectory, editDirectory, findEntry } from '../../src/directory/index.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { CountingStore } from '../stores.ts'
import { numbered } from './directories.ts'
import type { FileEntry } from '../../src/codec/index.ts'
import type { DirectoryRoot } from '../../src/directory/index.ts'

const million = 1_000_000

function * files (count: number): Generator<FileEntry> {
  for (let i = 0; i < count; i++) {
    yield { name: `file-${String(i).padStart(8, '0')}.txt`, kind: 'file', content: Uint8Array.of(i % 256), size: 1, attributes: { mode: 0o644, mtime: [1_700_000_000 + i, 1] } }
  }
}

const blocksPerCollection = 200

/** Builds without keeping the blocks; answers the time for an entry, and the most memory that was in use. */
async function measure (count: number): Promise<{ usPerEntry: number, heapBytes: number }> {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  let [start, blocks, heapBytes] = [performance.now(), 0, 0]

  for await (const block of buildDirectory(files(count))) {
    expect(block.bytes.byteLength).to.be.below(2 ** 20)

    if (++blocks % blocksPerCollection === 0) {
      const stopped = performance.now()
      collectGarbage()
      heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed - before)
      // the clock stands still meanwhile
      start += performance.now() - stopped
    }
  }

  return { usPerEntry: (performance.now() - start) * 1000 / count, heapBytes }
}

describe('directory of 1,000,000 entries', function () {
  this.timeout(120_000)

  it('takes at most twice the time per entry of 10,000, and bounded memory', async () => {
    await measure(10_000)
    const small = []

    for (let i = 0; i < 5; i++) {
      small.push(await measure(10_000))
    }

    const large = await measure(million)
    const usPerEntry = small.map(run => run.usPerEntry).sort((a, b) => a - b)[2]

    expect(large.usPerEntry / usPerEntry).to.be.at.most(2)
    expect(large.heapBytes).to.be.within(1, 16 * 2 ** 20)
  })

  describe('once stored', () => {
    const store = new CountingStore()
    let root: DirectoryRoot

    before(async () => {
      const builder = buildDirectory(files(million))
      const writer = blockWriter(store.inner satisfies MemoryBlockstore)

      for (let step = await builder.next(); ; step = await builder.next()) {
        if (step.done === true) {
          root = step.value
          return
        }

        await writer.put(step.value)
      }
    })

    it('finds an entry in at most 5 blocks', async () => {
      store.reset()
      const found = await findEntry(blockReader(store), root, 'file-00654321.txt')

      expect(found).to.have.property('name', 'file-00654321.txt')
      expect(store.gets).to.be.at.most(5)
    })

    it('writes at most 8 blocks and 512 KiB for an insert at any place', async () => {
      const [entry] = numbered(1)

      for (let i = 0; i < 200; i++) {
        const name = `file-${String(i * 4_999).padStart(8, '0')}.tx`
        const { blocks } = await editDirectory(blockReader(store.inner), root, new Map([[name, { ...entry, name }]]))

        expect(blocks).to.have.length.at.most(8)
        expect(blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)).to.be.at.most(512 * 1024)
      }
    })
  })
})
