import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { blockReader } from '../../src/blockstore/index.ts'
import { createBlock, rawCode } from '../../src/codec/index.ts'
import type { BlockSource } from '../../src/blockstore/index.ts'
import type { Block } from '../../src/codec/index.ts'

describe('blockstore/reader', () => {
  let store: MemoryBlockstore
  let block: Block

  beforeEach(async () => {
    store = new MemoryBlockstore()
    block = await createBlock(rawCode, Uint8Array.of(1, 2, 3))
  })

  it('returns the bytes of a block', async () => {
    store.put(block.cid, block.bytes)

    await expect(blockReader(store).get(block.cid)).to.eventually.deep.equal(block)
  })

  it('joins the pieces of a block', async () => {
    await store.put(block.cid, [Uint8Array.of(1), Uint8Array.of(2, 3)])

    expect((await blockReader(store).get(block.cid)).bytes).to.deep.equal(block.bytes)
  })

  it('refuses bytes that do not match the CID', async () => {
    store.put(block.cid, Uint8Array.of(1, 2))

    await expect(blockReader(store).get(block.cid)).to.eventually.be.rejected.with.include({ name: 'BlockMismatchError', cid: block.cid })
  })

  it('refuses a block without bytes', async () => {
    await store.put(block.cid, [])

    await expect(blockReader(store).get(block.cid)).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
  })

  it('trusts a trusted store', async () => {
    store.put(block.cid, Uint8Array.of(9))

    expect((await blockReader(store, { trusted: true }).get(block.cid)).bytes).to.deep.equal(Uint8Array.of(9))
  })

  it('hashes only blocks that the store did not check', async () => {
    store.put(block.cid, Uint8Array.of(9))

    expect((await blockReader(Object.assign(store, { checksBytes: true })).get(block.cid)).bytes).to.deep.equal(Uint8Array.of(9))
    await expect(blockReader(Object.assign(store, { checksBytes: false })).get(block.cid)).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
  })

  it('passes on the store\'s error for a missing block, with its CID', async () => {
    await expect(blockReader(store).get(block.cid)).to.eventually.be.rejected.with.include({ name: 'NotFoundError', code: 'ERR_NOT_FOUND', cid: block.cid })
  })

  it('stops reading at 2 MiB', async () => {
    let pieces = 0
    const endless = {
      async * get () {
        for (;;) {
          pieces++
          yield new Uint8Array(2 ** 16)
        }
      }
    }

    await expect(blockReader(endless).get(block.cid)).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', cid: block.cid })
    expect(pieces).to.equal(33)
  })

  it('rejects with the reason of the abort, whatever the store does', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const aborted: BlockSource = {
      get () {
        controller.abort(reason)
        throw new Error('cannot be read: aborted')
      }
    }

    await expect(blockReader(aborted).get(block.cid, { signal: controller.signal })).to.eventually.be.rejected.with.property('cause', reason)
  })

  it('asks nothing of the store once aborted', async () => {
    await expect(blockReader(store).get(block.cid, { signal: AbortSignal.abort() })).to.eventually.be.rejected.with.property('name', 'AbortError')
  })
})
