import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'aegir/chai'
import { digestOf, keyOf } from '../../src/pack/format/section.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { blocks, Directories, withStore } from './stores.ts'
import { watchedFiles } from './watched-files.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const segment = 'segment-00000001.car'

describe('a pack store of many records', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Publishes a root of its own name with each record. */
  async function publishNames (store: PackBlockstore, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await store.roots.compareAndSet(`the root of number ${i}`, undefined, new Uint8Array(40))
    }
  }

  /** A store with a block and 500 records that hold 250 roots in the mean */
  async function withManyRoots (): Promise<{ directory: string, put: TestBlock }> {
    const directory = await directories.make()
    const [put] = await blocks(1, 1_000)
    await withStore(directory, {}, async store => store.put(put.cid, put.bytes))
    await withStore(directory, { durability: 'none' }, async store => publishNames(store, 500))

    return { directory, put }
  }

  /** By how much memory in use grows at most while a store is opened */
  async function growth (directory: string): Promise<number> {
    const [before, during] = [inUse(), [0]]
    const files = watchedFiles(count => { count >= 2 ** 19 && during.push(inUse()) })
    await withStore(directory, { files }, async store => {
      expect(await store.roots.get('the root of number 499')).to.have.property('byteLength', 40)
    })
    expect(during.length).to.be.greaterThan(10)

    return Math.max(...during) - before
  }

  it('opens in little memory without an index, however many roots it records', async () => {
    const { directory } = await withManyRoots()
    await rm(join(directory, 'index.sqlite'))

    expect(await growth(directory)).to.be.below(maxGrowth)
  })

  it('rebuilds its index in little memory, and reports losses', async () => {
    const { directory, put } = await withManyRoots()
    // an index of another past, and a block whose CID is damaged
    const index = new DatabaseSync(join(directory, 'index.sqlite'))
    index.exec('UPDATE coverage SET record_key = zeroblob(35)')
    index.close()
    await flip(directory, content => content.indexOf(digestOf(keyOf(put.cid))))

    expect(await growth(directory)).to.be.below(maxGrowth)
    await withStore(directory, {}, async store => {
      const { problems } = await store.verify()
      expect(problems.map(({ kind, cid }) => `${kind} ${cid}`)).to.include(`block ${put.cid}`)
    })
  })

  it('opens within seconds if 20,000 records cover a damaged range', async () => {
    const [directory, killed] = [await directories.make(), await directories.make()]
    const [damaged] = await blocks(1, 1_000)
    await withStore(directory, { durability: 'none' }, async store => {
      await store.put(damaged.cid, damaged.bytes)

      for (let i = 0; i < 20_000; i++) {
        await store.roots.compareAndSet('main', i === 0 ? undefined : new Uint8Array(1), new Uint8Array(1))
      }

      // before it is closed, which would leave a record that stands on no other
      await copyFile(join(directory, segment), join(killed, segment))
    })
    await flip(killed, content => content.indexOf(damaged.bytes))
    const start = performance.now()

    await withStore(killed, {}, async store => {
      expect(await store.roots.get('main')).to.equal(undefined)
    })
    expect(performance.now() - start).to.be.below(5_000)
  })
})

// the records together would take three times as much
const maxGrowth = 10 * 2 ** 20

function inUse (): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()

  return heapUsed + external
}

/** Flips a bit of the segment. */
async function flip (directory: string, find: (content: Buffer) => number): Promise<void> {
  const file = join(directory, segment)
  const content = await readFile(file)
  const offset = find(content)
  expect(offset).to.be.greaterThan(0)
  content[offset] ^= 1
  await writeFile(file, content)
}
