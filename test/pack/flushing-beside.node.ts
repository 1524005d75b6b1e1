import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers'
import { expect } from 'aegir/chai'
import { BlockIndex } from '../../src/pack/block-index/block-index.ts'
import { IndexOverlay } from '../../src/pack/block-index/index-overlay.ts'
import { keyOf } from '../../src/pack/format/section.ts'
import { compactSegments, sealAll } from '../../src/pack/maintenance/compact.ts'
import { inspect } from '../../src/pack/maintenance/verify.ts'
import { readSettings } from '../../src/pack/options.ts'
import { openWriter } from '../../src/pack/writing/open-writer.ts'
import { Directories, numberedBlock } from './stores.ts'
import type { WriterSession } from '../../src/pack/writing/writer-session.ts'

// enough of them for the index to take them in several turns of the event loop
const count = 40_000
const store = new Uint8Array(16)
const location = { segment: 1, offset: 500, length: 4 }

describe('a pack store that updates its index in several turns', function () {
  this.timeout(60_000)
  const directories = new Directories()
  const hidden = numberedBlock(1_000)

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store whose index has yet to take all of its blocks, one of which stands behind a damaged codec */
  async function withHidden (work: (session: WriterSession) => Promise<void>): Promise<void> {
    const directory = await directories.make()
    const session = await openWriter(directory, readSettings({ recordAfterMs: 600_000 }))

    try {
      for (let number = 0; number < count; number++) {
        const { cid, bytes } = numberedBlock(number)
        await session.put(cid, bytes, { verified: true })
      }

      await session.record()
      const path = join(directory, 'segment-00000001.car')
      const content = await readFile(path)
      content[content.indexOf(hidden.cid.bytes) + 1] ^= 1
      await writeFile(path, content)
      await work(session)
    } finally {
      await session.close()
    }
  }

  it('counts every block exactly once', async () => {
    const overlay = new IndexOverlay(BlockIndex.temporary(store), true)

    for (let number = 0; number < count; number++) {
      overlay.set(keyOf(numberedBlock(number).cid), { ...location, segment: 1 + number % 2 })
    }

    const flushing = overlay.write(new Map(), {})
    const counts = await overlay.blockCounts({})
    await flushing
    overlay.close()

    expect([...counts]).to.have.deep.members([[1, count / 2], [2, count / 2]])
  })

  it('moves a block that only the index knows during compaction', async () => {
    await withHidden(async session => {
      const sealed = await sealAll(session)
      const flushing = session.flush()
      await compactSegments(session, sealed, () => true, { leavesOutGaps: true })
      await flushing

      const found = session.find(keyOf(hidden.cid)) ?? expect.fail('the block is gone')
      expect(found.segment).to.be.above(1)
      expect(session.readNow(found) ?? await session.read(found)).to.deep.equal(hidden.bytes)
    })
  })

  it('reports every missing block by verify()', async () => {
    await withHidden(async session => {
      const { segments, overlay } = session
      await session.flush()
      // what nobody can find, since its bytes stand in no segment
      const lost = Array.from({ length: 20 }, (_, i) => numberedBlock(count + i))
      lost.forEach(({ cid }, i) => { overlay.set(keyOf(cid), { segment: 1, offset: 300 + i, length: 0 }) })
      const ends = await session.ends()
      const use = segments.use.bind(segments)
      let flushing: Promise<void> | undefined
      segments.use = async (segment, work) => {
        const answer = await use(segment, work)
        // begins while what the index has is gone through
        setImmediate(() => { flushing ??= overlay.write(session.log.coverage, {}) })

        return answer
      }

      const { problems } = await inspect({ store: session.store, segments, overlay, ends }, {})
      await flushing

      const told = problems.filter(({ kind }) => kind === 'block').map(({ cid }) => String(cid))
      expect(told).to.have.members([hidden, ...lost].map(({ cid }) => String(cid)))
    })
  })
})
