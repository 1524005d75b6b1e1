import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import { interleaving, runInterleaving } from './interleavings.ts'
import { garbageCollectionSuite } from './suite.ts'
import '../../seed.ts'

garbageCollectionSuite('MemoryBlockstore', async () => ({ blockstore: new MemoryBlockstore(), async close () {} }), { runs: 50 })

describe('gc', () => {
  let blockstore: MemoryBlockstore

  beforeEach(() => {
    blockstore = new MemoryBlockstore()
  })

  it('stops when aborted during deletion, even if the store never waits', async () => {
    const garbage = 30_000

    for (let i = 0; i < garbage; i++) {
      const digest = new Uint8Array(32)
      new DataView(digest.buffer).setUint32(0, i)
      blockstore.put(CID.createV1(rawCode, create(0x12, digest)), Uint8Array.of(1))
    }

    const abort = new AbortController()
    const onProgress = (): void => { setTimeout(() => { abort.abort(new Error('stop')) }, 0) }

    await expect(dagfs({ blockstore }).gc({ signal: abort.signal, onProgress })).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
    expect((await all(blockstore.getAll())).length).to.be.within(1, garbage - 1)
  })

  it('keeps blocks of foreign codecs, and deletes unreachable ones of its own', async () => {
    const foreign = CID.createV1(rawCode, create(0x13, new Uint8Array(64)))
    const { cid } = await createBlock(rawCode, Uint8Array.of(1))
    await blockstore.put(foreign, Uint8Array.of(1))
    await blockstore.put(cid, Uint8Array.of(1))

    expect(await dagfs({ blockstore }).gc()).to.deep.equal({ blocks: 2, kept: 1, deleted: 1, bytes: 1 })
    expect(await blockstore.has(foreign)).to.equal(true)
  })

  it('is refused if the store cannot list its blocks', async () => {
    await expect(dagfs({ blockstore: new CountingStore() }).gc()).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'blockstore' })
  })
})

describe('gc during random edits, commits, views and handles', () => {
  it('keeps everything reachable, and frees all else', async function () {
    this.timeout(120_000)
    await fc.assert(fc.asyncProperty(interleaving, runInterleaving), { numRuns: 200 })
  })
})
