import { copyFile, link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const firstSegment = 'segment-00000001.car'
// so that the first segment is not the one that is written
const smallBytes = 4_096

describe('a pack store whose files change while it is open', () => {
  const directories = new Directories()
  let directory: string
  let segment: string
  let put: TestBlock[]

  before(async () => {
    put = await blocks(10, 1_000)
  })

  beforeEach(async () => {
    directory = await directories.make()
    segment = join(directory, firstSegment)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function fill (segmentBytes?: number): Promise<void> {
    await withStore(directory, { segmentBytes }, async store => publish(store, put, 1))
  }

  async function publish (store: PackBlockstore, added: readonly TestBlock[], root: number): Promise<void> {
    await putAll(store, added)
    await store.roots.compareAndSet('main', root === 1 ? undefined : Uint8Array.of(root - 1), Uint8Array.of(root))
  }

  /** What a backup has in the place of a file, as a file of its own */
  async function exchange (file: string, other: string): Promise<void> {
    await copyFile(other, `${file}.other`)
    await rename(`${file}.other`, file)
  }

  async function damage (bytes: Uint8Array): Promise<void> {
    const at = (await readFile(segment)).indexOf(bytes)
    const file = await open(segment, 'r+')

    try {
      await file.write(Uint8Array.of(~bytes[100]), 0, 1, at + 100)
    } finally {
      await file.close()
    }
  }

  Object.entries({ reader: { readonly: true }, writer: {} }).forEach(([whose, options]) => {
    it(`lets a ${whose} read a restored segment without reopening`, async () => {
      await fill(smallBytes)
      await copyFile(segment, join(directory, 'backup'))

      await withStore(directory, options, async store => {
        await readBlock(store, put[1].cid)
        await damage(put[1].bytes)
        await expect(readBlock(store, put[1].cid)).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
        await exchange(segment, join(directory, 'backup'))
        await expectBlocks(store, put)
      })
    })

    it(`lets a ${whose} verify a restored segment`, async () => {
      await fill(smallBytes)
      await copyFile(segment, join(directory, 'backup'))

      await withStore(directory, options, async store => {
        await damage(put[1].bytes)
        expect((await store.verify()).problems).to.have.lengthOf(1)
        await exchange(segment, join(directory, 'backup'))
        expect((await store.verify()).problems).to.deep.equal([])
      })
    })
  })

  const changes: Record<string, () => Promise<void>> = {
    removed: async () => rm(segment),
    'moved away': async () => rename(segment, join(directory, 'moved')),
    'exchanged for a copy': async () => exchange(segment, segment),
    'exchanged for a copy, with a link elsewhere to the original': async () => {
      await link(segment, join(directory, 'linked'))
      await exchange(segment, segment)
    }
  }

  Object.entries(changes).forEach(([what, change]) => {
    it(`refuses a commit once its segment was ${what}`, async () => {
      await fill()

      await withStore(directory, {}, async store => {
        const [added] = await blocks(1, 1_000, 100)
        await publish(store, [added], 2)
        await change()
        await putAll(store, await blocks(1, 1_000, 200))
        await expect(Promise.resolve(store.roots.compareAndSet('main', Uint8Array.of(2), Uint8Array.of(3)))).to.eventually.be.rejected
          .with.property('name', 'StoreStateError')
      }).catch((err: unknown) => {
        // closing says it once more
        expect(err).to.have.property('name', 'StoreStateError')
      })
    })
  })

  it('has all acknowledged data once a moved segment is restored before opening', async () => {
    await fill()
    await withStore(directory, {}, async store => {
      await publish(store, await blocks(1, 1_000, 100), 2)
      await rename(segment, join(directory, 'moved'))
      await expect(publish(store, await blocks(1, 1_000, 200), 3)).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    }).catch((err: unknown) => {
      expect(err).to.have.property('name', 'StoreStateError')
    })
    await rename(join(directory, 'moved'), segment)

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
      await expectBlocks(store, [...put, ...await blocks(1, 1_000, 100)])
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('refuses a commit once its claim was replaced, even if still linked', async () => {
    await fill()

    await withStore(directory, {}, async store => {
      const claim = join(directory, 'store')
      await link(claim, join(directory, 'linked'))
      await exchange(claim, claim)
      await expect(publish(store, await blocks(1, 1_000, 100), 2)).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    }).catch((err: unknown) => {
      expect(err).to.have.property('name', 'StoreStateError')
    })
  })
})
