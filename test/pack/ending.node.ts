import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'aegir/chai'
import { childFile } from '../child-file.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const child = childFile(import.meta.url, 'ending-child')
// a timer of this length that were left would keep the process alive until it is killed
const days = 2 ** 31 - 1

describe('a process that ends', function () {
  this.timeout(120_000)
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(20, 1_000)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Fails where the process does not end by itself. */
  async function run (ending: string, recordAfterMs?: number): Promise<void> {
    await promisify(execFile)(process.execPath, [child, directory, ending, ...recordAfterMs === undefined ? [] : [String(recordAfterMs)]], { timeout: 60_000 })
  }

  async function expectStored (kept: readonly TestBlock[]): Promise<void> {
    await withStore(directory, {}, async store => expectBlocks(store, kept))
  }

  it('keeps every acknowledged put of an open pack store', async () => {
    await run('put')
    await expectStored(put)
  })

  it('keeps every acknowledged deletion of an open pack store', async () => {
    await run('delete')
    await expectStored(put.slice(1))
    await withStore(directory, {}, async store => {
      expect(await store.has(put[0].cid)).to.equal(false)
    })
  })

  const endings = ['publish', 'sync', 'close']

  endings.forEach(ending => {
    it(`is not kept alive by an idle pack store after ${ending}()`, async () => {
      await run(ending, days)
      await expectStored(put)
    })
  })

  it('is not kept alive by a pack store that cannot write', async () => {
    await run('fail', 100)
    await withStore(directory, {}, async store => {
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })
})
