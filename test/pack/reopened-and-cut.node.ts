import { expect } from 'aegir/chai'
import { random } from '../seed.ts'
import { FaultyFiles } from './faulty-files.ts'
import { inTemporary } from './in-temporary.ts'
import { blocks, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const statesPerCut = 30
const blocksPerRoot = 2

/** Files that tell of each operation before it happens */
class ToldFiles extends FaultyFiles {
  onOperation = (): void => {}

  override async step (): Promise<boolean> {
    this.onOperation()

    return super.step()
  }
}

describe('a pack store reopened before a power cut', function () {
  this.timeout(120_000)
  let put: TestBlock[]

  before(async () => {
    put = await blocks(2 * blocksPerRoot, 3_000)
  })

  async function publish (store: PackBlockstore, root: number): Promise<void> {
    await putAll(store, put.slice((root - 1) * blocksPerRoot, root * blocksPerRoot))
    await store.roots.compareAndSet('main', root === 1 ? undefined : Uint8Array.of(root - 1), Uint8Array.of(root))
  }

  /** Opens what the disk has, without an index. */
  async function expectWhole (directory: string, files: FaultyFiles, acknowledged: number): Promise<void> {
    await withStore(directory, { files }, async store => {
      const [root = 0] = await store.roots.get('main') ?? []
      expect(root).to.be.within(acknowledged, 2)

      for (const { cid, bytes } of put.slice(0, root * blocksPerRoot)) {
        expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
      }

      expect((await store.verify()).problems).to.deep.equal([])
    })
  }

  for (const [where, segmentBytes] of [['one segment', 2 ** 20], ['several segments', 8_000]] as const) {
    it(`has everything committed to ${where} without damage, whatever else was written`, async () => {
      const next = random()
      const cuts: Array<{ readonly files: FaultyFiles, readonly acknowledged: number }> = []

      await inTemporary(async directory => {
        const files = new ToldFiles()
        let acknowledged = 1
        await withStore(directory, { files, segmentBytes }, async store => publish(store, 1))
        files.onOperation = () => {
          for (let state = 0; state < statesPerCut; state++) {
            cuts.push({ files: files.afterPowerCut(next).movedTo(directory, '/'), acknowledged })
          }
        }

        await withStore(directory, { files, segmentBytes }, async store => {
          await publish(store, 2)
          acknowledged = 2
        })
      })

      for (const { files, acknowledged } of cuts) {
        await inTemporary(async directory => expectWhole(directory, files.movedTo('/', directory), acknowledged))
      }
    })
  }
})
