import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 20_000 }

async function indexFiles (directory: string): Promise<string[]> {
  return (await readdir(directory)).filter(name => name.startsWith('index.sqlite'))
}

describe('the index of a pack store', () => {
  const directories = new Directories()
  let directory: string
  let copies: string
  let live: TestBlock[]
  let gone: TestBlock[]

  /** Four sessions of puts, deletions, compaction and puts again, and a copy of the index after each. */
  beforeEach(async () => {
    directory = await directories.make()
    copies = await directories.make()
    const put = await blocks(120, 500)
    live = put.filter((_, i) => i % 3 !== 0)
    gone = put.filter((_, i) => i % 3 === 0)

    for (let session = 0; session < 4; session++) {
      const removed = gone.slice(session * 10, session * 10 + 10)
      await withStore(directory, options, async store => {
        for (const { cid, bytes } of put.slice(session * 30, session * 30 + 30)) {
          await store.put(cid, bytes)
        }

        for (const { cid } of removed) {
          await store.delete(cid)
        }

        if (session === 2) {
          const kept = await all(store.getAll())
          await store.gc({ roots: kept.map(({ cid }) => cid), links: () => [] })
        }
      })

      for (const name of await indexFiles(directory)) {
        await cp(join(directory, name), join(copies, `${session}`, name))
      }
    }
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function removeIndex (): Promise<void> {
    for (const name of await indexFiles(directory)) {
      await rm(join(directory, name))
    }
  }

  async function expectWhole (readonly: boolean): Promise<void> {
    await withStore(directory, { ...options, readonly }, async store => {
      for (const { cid, bytes } of live) {
        expect(await readBlock(store, cid)).to.deep.equal(bytes)
      }

      for (const { cid } of gone) {
        expect(await store.has(cid)).to.equal(false)
      }

      expect(await all(store.getAll())).to.have.lengthOf(live.length)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  }

  const cases: Array<[claim: string, change: () => Promise<void>]> = [
    ['that is missing', removeIndex],
    ['that is empty', async () => writeFile(join(directory, 'index.sqlite'), '')],
    ['that is no database', async () => writeFile(join(directory, 'index.sqlite'), 'x'.repeat(10_000))],
    ['that is truncated', async () => truncate(join(directory, 'index.sqlite'), 9_000)],
    ['that is torn', async () => {
      const bytes = await readFile(join(directory, 'index.sqlite'))
      await writeFile(join(directory, 'index.sqlite'), bytes.fill(0, 4_096, 12_288))
    }],
    ['of another store', async () => {
      const other = await directories.make()
      await withStore(other, options, async store => {
        await store.put(gone[0].cid, gone[0].bytes)
      })
      await cp(join(other, 'index.sqlite'), join(directory, 'index.sqlite'))
    }],
    ...[0, 1, 2, 3].map((session): [string, () => Promise<void>] => [`from the end of session ${session}`, async () => {
      await removeIndex()
      await cp(join(copies, `${session}`), directory, { recursive: true })
    }])
  ]

  for (const [claim, change] of cases) {
    it(`${claim} is made whole out of the segments`, async () => {
      await change()
      await expectWhole(true)
      await expectWhole(false)
      await expectWhole(true)
    })
  }
})
