import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { changedFiles } from './changed-files.ts'
import { failure } from './faulty-files.ts'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const largeBytes = 1_000_000

describe('a segment of a pack store after a failed write of a large record', () => {
  const directories = new Directories()
  let put: TestBlock[]

  before(async () => {
    put = await blocks(4, 1_000)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store whose commit of large roots failed, and then something else is done with it */
  async function failed (before: readonly TestBlock[], work: (store: PackBlockstore) => Promise<unknown>): Promise<string> {
    const directory = await directories.make()
    let isFull = true
    const files = changedFiles(file => ({
      async write (bytes, position) {
        if (isFull && bytes.byteLength > largeBytes) {
          isFull = false
          await file.write(bytes.subarray(0, bytes.byteLength - 4_096), position)
          throw failure('ENOSPC')
        }

        await file.write(bytes, position)
      }
    }))

    await withStore(directory, { files, segmentBytes: 4_096, recordAfterMs: 60_000 }, async store => {
      await all(store.putMany(before))
      await expect(store.roots.compareAndSet('main', undefined, new Uint8Array(largeBytes))).to.eventually.be.rejected.with.property('code', 'ENOSPC')
      await work(store)
    })

    return directory
  }

  const events: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    'garbage is collected': async store => store.gc({ roots: put.map(({ cid }) => cid), links: () => [] }),
    'it is full': async store => all(store.putMany(put)),
    'the store is closed': async () => {}
  }

  Object.entries(events).forEach(([event, work]) => {
    [0, 1].forEach(count => {
      it(`ends with its last record when ${event}, after ${count === 0 ? 'nothing' : 'a block'} was put`, async () => {
        const directory = await failed(put.slice(0, count), work)

        for (const name of (await readdir(directory)).filter(each => each.endsWith('.car'))) {
          expect((await stat(join(directory, name))).size).to.be.below(10_000)
        }

        const [never] = await blocks(1, 500, 5_000)

        for (const hasIndex of [true, false]) {
          if (!hasIndex) {
            await rm(join(directory, 'index.sqlite'))
          }

          await withStore(directory, { readonly: true }, async store => {
            expect((await store.verify()).problems).to.deep.equal([])
            expect(await all(store.scan())).to.be.an('array')
            await expect(readBlock(store, never.cid)).to.eventually.be.rejected.with.property('name', 'NotFoundError')
          })
        }
      })
    })
  })
})
