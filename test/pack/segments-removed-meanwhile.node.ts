import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { hostFiles } from '../../src/pack/files/files.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const firstSegment = 'segment-00000001.car'
// so that the first segment is not the one that is written
const smallBytes = 4_096

/** The host's files. Somebody removes a segment just before it is opened for some time; counts how often it was opened. */
function removingFiles (segment: string, removedAt: number): Files & { opened: number } {
  const files = {
    ...hostFiles,
    opened: 0,
    open: async (path: string, mode: 'read' | 'write' | 'create') => {
      if (path === segment && ++files.opened === removedAt) {
        await rm(path)
      }

      return hostFiles.open(path, mode)
    }
  }

  return files
}

describe('a pack store whose segments another writer removes concurrently', () => {
  const directories = new Directories()
  // the first segment has some of these alone
  let deleted: TestBlock[]
  let kept: TestBlock[]

  before(async () => {
    deleted = await blocks(5, 1_000)
    kept = await blocks(5, 1_000, 5)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  const calls: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    'open()': async () => {},
    'compact()': async store => store.compact(),
    'gc()': async store => store.gc({ roots: kept.map(({ cid }) => cid), links: () => [] }),
    'verify()': async store => store.verify(),
    'scan()': async store => all(store.scan())
  }

  for (const [name, call] of Object.entries(calls)) {
    it(`completes ${name}, or fails with its own error`, async () => {
      let opened = Infinity

      for (let removedAt = 1; removedAt <= opened; removedAt++) {
        opened = await tryCall(call, removedAt)
      }
    })
  }

  /** Returns how often the segment was opened. */
  async function tryCall (call: (store: PackBlockstore) => Promise<unknown>, removedAt: number): Promise<number> {
    const directory = await directories.make()
    const files = removingFiles(join(directory, firstSegment), removedAt)

    await withStore(directory, { segmentBytes: smallBytes }, async store => {
      await putAll(store, [...deleted, ...kept])
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
      await all(store.deleteMany(deleted.map(({ cid }) => cid)))
    })

    try {
      await withStore(directory, { segmentBytes: smallBytes, files }, call)
    } catch (err) {
      expect(err).to.have.property('name').that.is.oneOf(['CorruptStoreError', 'StoreStateError'])
    }

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      await expectBlocks(store, kept)
    })

    return files.opened
  }
})
