import { expect } from 'aegir/chai'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'
import type { Durability } from '../../src/pack/options.ts'

describe('early syncs of a pack store during many puts', () => {
  const directories = new Directories()
  const blockBytes = 2 ** 21
  let put: readonly TestBlock[]
  let syncs: number
  let failure: Error | undefined

  /** The host's, with syncs that are counted and can fail */
  const files = changedFiles(file => ({
    async sync () {
      syncs++
      await file.sync()

      if (failure !== undefined) {
        throw failure
      }
    }
  }))

  before(async () => {
    put = await blocks(24, blockBytes)
  })

  beforeEach(() => {
    syncs = 0
    failure = undefined
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function syncsOfPuts (store: PackBlockstore): Promise<number> {
    const before = syncs

    await putAll(store, put)

    // the last pieces are on their way
    await new Promise(resolve => setTimeout(resolve, 100))

    return syncs - before
  }

  async function syncsOf (durability: Durability): Promise<number> {
    return withStore(await directories.make(), { files, durability, recordAfterMs: 60_000 }, syncsOfPuts)
  }

  async function syncsOfRoot (durability: Durability): Promise<number> {
    const [{ cid, bytes }] = await blocks(1, 1_000)

    return withStore(await directories.make(), { files, durability, recordAfterMs: 60_000 }, async store => {
      await store.put(cid, bytes)
      const before = syncs
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))

      return syncs - before
    })
  }

  it('begin before a commit waits for them', async () => {
    expect(await syncsOf('commit')).to.equal(1)
  })

  it('do not happen without durability', async () => {
    expect(await syncsOf('none')).to.equal(0)
  })

  it('leave one sync for a root, or none without durability', async () => {
    expect(await syncsOfRoot('commit')).to.equal(1)
    expect(await syncsOfRoot('none')).to.equal(0)
  })

  it('commit nothing after a failure, and keep earlier commits', async () => {
    const directory = await directories.make()
    const root = Uint8Array.of(1)

    await expect(withStore(directory, { files }, async store => {
      await store.put(put[0].cid, put[0].bytes)
      await store.roots.compareAndSet('main', undefined, root)
      failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
      // where the disk is fast, the last puts hear of it already
      await syncsOfPuts(store).catch(err => { expect(err).to.have.property('code', 'EIO') })
      failure = undefined
      // the second sync would succeed, and say nothing of what the first did not write
      await expect(store.roots.compareAndSet('main', root, Uint8Array.of(2))).to.eventually.be.rejected.with.property('code', 'EIO')
    })).to.eventually.be.rejected.with.property('code', 'EIO')

    await withStore(directory, { files }, async store => {
      expect(await store.roots.get('main')).to.deep.equal(root)
      expect(await readBlock(store, put[0].cid)).to.deep.equal(put[0].bytes)
    })
  })
})
