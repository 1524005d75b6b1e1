import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { identity } from 'multiformats/hashes/identity'
import { keyOf } from '../../src/pack/format/section.ts'
import { compact, compactSegments, sealAll } from '../../src/pack/maintenance/compact.ts'
import { readSettings } from '../../src/pack/options.ts'
import { openWriter } from '../../src/pack/writing/open-writer.ts'
import { block, blocks, bytesOf, Directories, putAll, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { WriterSession } from '../../src/pack/writing/writer-session.ts'

describe('garbage collection in a pack store', () => {
  const directories = new Directories()
  let directory: string

  beforeEach(async () => {
    directory = await directories.make()
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function withWriter (work: (session: WriterSession) => Promise<void>): Promise<void> {
    const session = await openWriter(directory, readSettings({ recordAfterMs: 60_000 }))

    try {
      await work(session)
    } finally {
      await session.close()
    }
  }

  it('keeps blocks put since a root was published, until the store is reopened', async () => {
    const [{ cid, bytes }] = await blocks(1, 1_000)

    await withStore(directory, {}, async store => {
      await store.put(cid, bytes)
      expect(await store.gc({ roots: [], links: () => [] })).to.include({ freedBlocks: 0 })
    })

    await withStore(directory, {}, async store => {
      expect(await store.has(cid)).to.equal(true)
      expect(await store.gc({ roots: [], links: () => [] })).to.include({ freedBlocks: 1 })
    })
  })

  it('preserves the age of blocks that a compaction moves', async () => {
    const [gone, ...old] = await blocks(5, 1_000)
    const [alsoGone, ...young] = await blocks(5, 1_000, 100)
    await withStore(directory, {}, async store => {
      await all(store.putMany([gone, ...old]))
    })

    await withStore(directory, {}, async store => {
      await all(store.putMany([alsoGone, ...young]))

      for (const moved of [gone, alsoGone]) {
        await store.delete(moved.cid)
        await store.compact()
      }

      expect(await store.gc({ roots: [old[0].cid], links: () => [] })).to.deep.equal({ reached: 1, freedBlocks: old.length - 1, freedBytes: 1_000 * (old.length - 1) })
      expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.have.members([old[0], ...young].map(({ cid }) => String(cid)))
    })
  })

  it('recognizes a block put between two moved blocks, even if empty', async () => {
    const [gone, first, second] = await blocks(3, 1_000)
    const empty = await block(new Uint8Array(0))
    await withStore(directory, {}, async store => {
      await all(store.putMany([gone, first, second]))
    })

    await withWriter(async session => {
      await session.delete(gone.cid)
      const append = session.log.append.bind(session.log)
      session.log.append = async (key, data, isNeeded, onAppended) => {
        await append(key, data, isNeeded, onAppended)

        // a second put would find it
        if (session.find(keyOf(empty.cid)) === undefined) {
          expect(session.putNow(empty.cid, empty.bytes, {})).to.equal(true)
        }
      }
      await compact(session, await sealAll(session), () => true, {})

      const isTouched = ({ cid }: TestBlock): boolean => {
        const location = session.find(keyOf(cid)) ?? expect.fail('the block is gone')

        return session.protectedBlocks.has(keyOf(cid), location)
      }
      expect([first, empty, second].map(isTouched)).to.deep.equal([false, true, false])
    })
  })

  it('follows links inside identity CIDs', async () => {
    const [leaf, other] = await blocks(2, 1_000)
    const parent = await block(bytesOf(7, 50), 0x71)
    const inline = CID.createV1(0x71, identity.digest(bytesOf(8, 20)))
    const inlineRaw = CID.createV1(0x55, identity.digest(bytesOf(9, 20)))
    const links = new Map<string, CID[]>([[String(parent.cid), [inline, inlineRaw, inline]], [String(inline), [leaf.cid]]])
    const asked: Uint8Array[] = []

    await withStore(directory, {}, async store => {
      await all(store.putMany([leaf, other, parent]))

      const collected = await store.gc({
        roots: [parent.cid],
        links: ({ cid, bytes }) => {
          asked.push(bytes)

          return links.get(String(cid)) ?? []
        },
        keepUncommitted: false
      })
      expect(collected).to.deep.equal({ reached: 2, freedBlocks: 1, freedBytes: 1_000 })
      expect(asked).to.deep.equal([parent.bytes, bytesOf(8, 20)])
      expect(await store.has(leaf.cid)).to.equal(true)
    })
  })

  it('learns of a block when a put finds a concurrent put\'s copy', async () => {
    const [{ cid, bytes }] = await blocks(1, 500_000)

    await withWriter(async session => {
      const append = session.log.append.bind(session.log)
      let isFound: boolean | undefined
      session.log.append = async (key, data, isNeeded, onAppended) => append(key, data, () => {
        const needed = isNeeded()
        isFound = session.protectedBlocks.isFound(key)

        return needed
      }, onAppended)

      const putting = session.put(cid, bytes)

      // the first one has looked for the block by then, and hashes it in another thread
      for (let step = 0; step < 20; step++) {
        await Promise.resolve()
      }

      expect(session.putNow(cid, bytes, { verified: true })).to.equal(true)
      await putting

      expect(isFound).to.equal(true)
    })
  })

  it('keeps a block that is deleted and put again while it checks index entries', async () => {
    const put = await blocks(8, 100)
    await withStore(directory, {}, async store => putAll(store, put))
    const file = path.join(directory, 'segment-00000001.car')
    const content = await readFile(file)

    for (const { bytes } of put.slice(1)) {
      // the codec's byte, behind the length of two bytes and the version
      content[content.indexOf(bytes) - 38 + 3] ^= 1
    }

    await writeFile(file, content)

    await withWriter(async session => {
      let looked = 0
      await compactSegments(session, await sealAll(session), key => {
        const others = put.filter(({ cid }) => session.find(keyOf(cid))?.segment === 1 && Buffer.compare(keyOf(cid), key) !== 0)

        if (looked++ === 1) {
          others.forEach(({ cid, bytes }) => {
            session.removeKey(keyOf(cid))
            expect(session.putNow(cid, bytes, {})).to.equal(true)
          })
        }

        return false
      }, { leavesOutGaps: true })

      expect(looked).to.be.above(1)
      expect(put.filter(({ cid }) => session.find(keyOf(cid)) !== undefined)).to.have.lengthOf(6)
    })
  })
})
