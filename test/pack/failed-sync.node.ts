import { expect } from 'aegir/chai'
import { FaultyFiles } from './faulty-files.ts'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const blocksPerRoot = 8

describe('a pack store after a failed sync', () => {
  const directories = new Directories()
  let put: readonly TestBlock[]

  before(async () => {
    put = await blocks(3 * blocksPerRoot, 500)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function rootOf (store: PackBlockstore): Promise<number> {
    return (await store.roots.get('main'))?.[0] ?? 0
  }

  /** Publishes a root that needs more blocks than the one before, with a record in the middle of them. */
  async function publishNext (store: PackBlockstore): Promise<void> {
    const root = await rootOf(store)

    for (const [i, { cid, bytes }] of put.slice(root * blocksPerRoot, (root + 1) * blocksPerRoot).entries()) {
      await store.put(cid, bytes)

      if (i === blocksPerRoot / 2) {
        // writes a record that no sync follows
        await store.verify()
      }
    }

    await store.roots.compareAndSet('main', root === 0 ? undefined : Uint8Array.of(root), Uint8Array.of(root + 1))
  }

  /** Publishes a first root, and a second one of whose operations on files one fails; answers whether it came so far. */
  async function publishAndFail (directory: string, files: FaultyFiles, segmentBytes: number, at: number): Promise<boolean> {
    let hasFailed = false

    try {
      await withStore(directory, { files, segmentBytes }, async store => {
        await publishNext(store)
        files.fault = { at: files.operations + at, isForGood: false, code: 'EIO' }

        try {
          await publishNext(store)
        } catch (err) {
          expect(err).to.have.property('code', 'EIO')
          hasFailed = true
        }

        hasFailed ||= files.operations >= files.fault.at
        files.fault = undefined
      })
    } catch (err) {
      expect(err).to.have.property('code', 'EIO')
    }

    return hasFailed
  }

  async function expectWhole (directory: string, files: FaultyFiles, root: number): Promise<void> {
    await withStore(directory, { files }, async store => {
      expect(await rootOf(store)).to.equal(root)

      for (const { cid, bytes } of put.slice(0, root * blocksPerRoot)) {
        expect(Buffer.compare(await readBlock(store, cid), bytes), `a block of root ${root}`).to.equal(0)
      }

      expect((await store.verify()).problems).to.deep.equal([])
    })
  }

  /** Fails an operation, opens the store again, commits, and cuts the power; answers whether there was such an operation. */
  async function expectKept (segmentBytes: number, at: number): Promise<boolean> {
    const [directory, elsewhere] = [await directories.make(), await directories.make()]
    const files = new FaultyFiles()
    const hasFailed = await publishAndFail(directory, files, segmentBytes, at)

    const { root, cut } = await withStore(directory, { files, segmentBytes }, async store => {
      await publishNext(store)

      return { root: await rootOf(store), cut: files.afterPowerCut(() => 0) }
    })
    await expectWhole(elsewhere, cut.movedTo(directory, elsewhere), root)

    return hasFailed
  }

  for (const [where, segmentBytes] of [['one segment', 2 ** 20], ['several segments', 4_096]] as const) {
    it(`has what was committed to ${where} after a power cut, whatever failed before`, async () => {
      let at = 1

      while (await expectKept(segmentBytes, at)) {
        at++
      }

      expect(at).to.be.greaterThan(10)
    })
  }
})
