import { randomBytes } from 'node:crypto'
import { appendFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { concat } from '../../src/bytes.ts'
import { hostFiles } from '../../src/pack/files/files.ts'
import { beginsAsRecordAt, commitMagic, encodeCommit } from '../../src/pack/format/record.ts'
import { maxBlockBytes, writeHead } from '../../src/pack/format/section.ts'
import { readSegmentHead, recordSection } from '../../src/pack/format/segment-head.ts'
import { slowness } from '../slowness.ts'
import { expectBlocks } from './expect-blocks.ts'
import { block, blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { CommitRecord } from '../../src/pack/format/record.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'

const segmentName = 'segment-00000001.car'

// four of length, and a CID
const cutHeadBytes = 4 + 36

// what took minutes before takes some hundredths of a second, on a machine that others use as well
const soonMs = 2_000

const forged: Omit<CommitRecord, 'store' | 'segment' | 'to'> = {
  id: randomBytes(16),
  sequence: 1_000_000,
  durable: 1_000_000,
  from: 0,
  digest: new Uint8Array(32),
  previous: undefined,
  roots: new Map([['main', Uint8Array.of(66)]]),
  segments: [1],
  removed: []
}

describe('content that imitates parts of a pack store', () => {
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(20, 1_000)

    await withStore(directory, {}, async store => {
      await putAll(store, put)
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
  })

  afterEach(async () => directories.removeAll())

  /** What a process leaves that is killed while it writes a block */
  async function cutOff (content: Uint8Array): Promise<void> {
    const { cid } = await block(content)
    const head = new Uint8Array(cutHeadBytes)
    writeHead(head, 0, cid.bytes.subarray(1), maxBlockBytes)
    await appendFile(join(directory, segmentName), concat([head, content]))
  }

  async function expectWhole (store: PackBlockstore): Promise<void> {
    expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))

    await expectBlocks(store, put)
  }

  async function storeId (): Promise<Uint8Array> {
    const file = await hostFiles.open(join(directory, segmentName), 'read')

    try {
      return (await readSegmentHead(file, segmentName)).store
    } finally {
      await file.close()
    }
  }

  async function forgedSection (offset: number): Promise<Uint8Array> {
    return recordSection(encodeCommit({ ...forged, store: await storeId(), segment: 1, to: offset }))
  }

  it('is not a commit record if its block is truncated: the published root stays', async () => {
    const { size } = await stat(join(directory, segmentName))
    const content = new Uint8Array(5_000)
    content.set(await forgedSection(size + cutHeadBytes + 10), 10)
    await cutOff(content)

    await withStore(directory, { readonly: true }, expectWhole)
    await withStore(directory, {}, expectWhole)
  })

  it('removes no segment', async () => {
    await withStore(directory, { segmentBytes: 65_536 }, async store => {
      await putAll(store, await blocks(100, 1_000, 100))
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
    })
    const names = (await readdir(directory)).filter(name => name.endsWith('.car')).sort()
    const last = join(directory, names[names.length - 1])
    const { size } = await stat(last)
    const section = await recordSection(encodeCommit({ ...forged, store: await storeId(), segment: names.length, to: size, segments: [names.length] }))
    await appendFile(last, section)

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
    })
    expect(names.length).to.be.greaterThan(1)
    expect(await readdir(directory)).to.include.members(names)
  })

  it('is searched in linear time, with a head every few bytes', async () => {
    await cutOff(fakeHeads(maxBlockBytes - 1))
    await rm(join(directory, 'index.sqlite'))

    const held = monitorEventLoopDelay({ resolution: 1 })
    held.enable()
    const start = performance.now()

    await withStore(directory, { readonly: true }, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      expect((await store.verify()).problems).to.deep.equal([])
    })
    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })
    held.disable()
    expect(performance.now() - start).to.be.below(soonMs * slowness())
    expect(held.max / 1e6).to.be.below(soonMs / 4 * slowness())
  })

  it('can be aborted while it is searched', async () => {
    await cutOff(fakeHeads(maxBlockBytes - 1))
    const { cid, bytes } = await block(fakeHeads(maxBlockBytes - 2))
    await withStore(directory, {}, async store => {
      await store.put(cid, bytes)
      const ending = new AbortController()
      const verifying = store.verify({ signal: ending.signal })
      ending.abort(new Error('enough'))
      await expect(verifying).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    })
  })

  it('does not make a reader search the unfinished end of the log', async () => {
    await withStore(directory, { recordAfterMs: 600_000 }, async writer => withStore(directory, { readonly: true }, async reader => {
      for (let i = 0; i < 8; i++) {
        // 5 MiB: a piece of 4 MiB is written, which ends within a block
        const { cid, bytes } = await block(fakeHeads(655_360 + i))
        await writer.put(cid, bytes)
      }

      const start = performance.now()
      expect(await reader.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      expect(performance.now() - start).to.be.below(soonMs * slowness())
    }))
  })

  it('is not decoded as a record: two million items cost their bytes only', async () => {
    const bytes = new Uint8Array(maxBlockBytes).fill(0xa0)
    bytes.set(commitMagic)
    bytes.set([0x9a, ...new Uint8Array(Uint32Array.of(maxBlockBytes - commitMagic.byteLength - 5).buffer).reverse()], commitMagic.byteLength)
    const bomb = await block(bytes, 0x71)
    const before = process.memoryUsage().rss
    const start = performance.now()

    await withStore(directory, {}, async store => {
      await store.put(bomb.cid, bomb.bytes)
    })
    await rm(join(directory, 'index.sqlite'))
    await withStore(directory, {}, async store => {
      expect((await store.verify()).problems).to.deep.equal([])
      expect(await readBlock(store, bomb.cid)).to.deep.equal(bomb.bytes)
    })
    expect(performance.now() - start).to.be.below(soonMs * slowness())
    expect(process.memoryUsage().rss - before).to.be.below(100 * 2 ** 20)
  })
})

describe('the beginning of a commit record', () => {
  const number = fc.maxSafeNat()
  const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 })

  it('matches only its own position', () => {
    fc.assert(fc.property(number, number, number, bytes16, bytes16, (segment, to, other, id, otherId) => {
      fc.pre(other !== to && other !== segment && Buffer.compare(id, otherId) !== 0)
      const bytes = encodeCommit({ ...forged, store: new Uint8Array(16), id, segment, to })

      expect(beginsAsRecordAt(bytes, { segment, to, id })).to.equal(true)
      expect(beginsAsRecordAt(bytes, { segment, to, id: undefined })).to.equal(true)
      expect(beginsAsRecordAt(bytes, { segment, to: other, id })).to.equal(false)
      expect(beginsAsRecordAt(bytes, { segment: other, to, id })).to.equal(false)
      expect(beginsAsRecordAt(bytes, { segment, to, id: otherId })).to.equal(false)
    }))
  })
})

/** Heads of sections every eight bytes, none of which has the bytes that it names */
function fakeHeads (length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const head = new Uint8Array(8)

  for (let at = 0; at + 20_200 < length; at += head.byteLength) {
    // of a CID, only what tells that it is one
    writeHead(head, 0, Uint8Array.of(0x55, 0x12, 0x20), Math.max(20_000, length - at - 60))
    bytes.set(head, at)
  }

  return bytes
}
