import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackOptions } from '../../src/pack/index.ts'

interface Damaged {
  readonly directory: string
  readonly put: readonly TestBlock[]
}

describe('a listing of a pack store with a damaged head', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store of two segments, whose first one is changed once it was closed. */
  async function damaged (change: (content: Buffer, put: readonly TestBlock[]) => Buffer, deleted: readonly number[] = []): Promise<Damaged> {
    const directory = await directories.make()
    const put = await blocks(20, 1_000)
    await withStore(directory, { segmentBytes: 12_000 }, async store => {
      await all(store.putMany(put))

      for (const i of deleted) {
        await store.delete(put[i].cid)
      }

      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
    const path = join(directory, 'segment-00000001.car')
    await writeFile(path, change(await readFile(path), put))

    return { directory, put }
  }

  /** Flips a bit so many bytes before those of the second block. */
  function flipBefore (bytes: number): (content: Buffer, put: readonly TestBlock[]) => Buffer {
    return (content, put) => {
      content[content.indexOf(put[1].bytes) - bytes] ^= 1

      return content
    }
  }

  for (const [part, before] of [['codec', 35], ['version', 36], ['length of the multihash', 33], ['hash', 1], ['length', 37]] as const) {
    for (const [who, options] of [['a writer', {}], ['a reader', { readonly: true }]] satisfies Array<[string, PackOptions]>) {
      it(`has exactly the blocks that ${who} can read, with damage to the ${part}`, async () => {
        const { directory, put } = await damaged(flipBefore(before), [2])
        const kept = put.filter((_, i) => i !== 2)

        await withStore(directory, options, async store => {
          expect(await readBlock(store, put[1].cid)).to.deep.equal(put[1].bytes)
          const listed = await all(store.getAll())
          expect(listed.map(({ cid }) => String(cid))).to.have.members(kept.map(({ cid }) => String(cid)))
          expect((await all(listed[listed.length - 1].bytes))).to.have.lengthOf(1)
        })
      })
    }
  }

  for (const [who, options] of [['a writer', {}], ['a reader', { readonly: true }]] satisfies Array<[string, PackOptions]>) {
    it(`has every block that ${who} finds without an index, then reports possible others`, async () => {
      const { directory, put } = await damaged(flipBefore(1))
      await rm(join(directory, 'index.sqlite'))

      await withStore(directory, options, async store => {
        const listed = new Set<string>()
        const list = async (): Promise<void> => {
          for await (const { cid } of store.getAll()) {
            listed.add(String(cid))
          }
        }

        await expect(list()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
        expect(put.filter(({ cid }) => !listed.has(String(cid)))).to.deep.equal([put[1]])
      })
    })
  }

  it('reports possible others if an indexed block is behind a truncation', async () => {
    const { directory } = await damaged((content, put) => content.subarray(0, content.indexOf(put[3].bytes) + 10))

    await withStore(directory, { readonly: true }, async store => {
      const copy = async (): Promise<void> => {
        for await (const { bytes } of store.getAll()) {
          await all(bytes)
        }
      }
      await expect(copy()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    })
  })
})
