import { expect } from 'aegir/chai'
import { blockWriter } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, rawCode } from '../../src/codec/index.ts'
import type { BlockTarget } from '../../src/blockstore/index.ts'
import type { Block } from '../../src/codec/index.ts'
import type { CID } from 'multiformats/cid'

/** A store whose puts end when the test says so. */
class HeldStore implements BlockTarget {
  readonly puts: Array<PromiseWithResolvers<CID>> = []

  async put (): Promise<CID> {
    const put = Promise.withResolvers<CID>()
    this.puts.push(put)

    return put.promise
  }
}

async function settle (): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 1))
}

describe('blockstore/writer', () => {
  let store: HeldStore
  let block: Block

  beforeEach(async () => {
    store = new HeldStore()
    block = await createBlock(rawCode, Uint8Array.of(0x80))
  })

  it('rejects with the reason of the abort, whatever the store does', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const put = blockWriter(store).put(block, { signal: controller.signal })
    await settle()
    controller.abort(reason)
    store.puts[0].reject(new Error('cannot be put: aborted'))

    await expect(put).to.eventually.be.rejected.with.property('cause', reason)
  })

  it('puts a block once for concurrent puts', async () => {
    const puts = [1, 2, 3].map(async () => blockWriter(store).put(block))
    await settle()

    expect(store.puts).to.have.lengthOf(1)
    store.puts[0].resolve(block.cid)
    await Promise.allSettled(puts)
    expect(store.puts).to.have.lengthOf(1)
  })

  it('gives the store a copy of a part of a larger buffer', async () => {
    const kept: Uint8Array[] = []
    const keeping = { put: async (cid: CID, bytes: Uint8Array) => { kept.push(bytes); return cid } }
    const writer = blockWriter(keeping)
    const buffer = Uint8Array.from({ length: 30 }, (_, i) => i)
    const parts = await Promise.all([0, 10, 20].map(async start => createBlock(rawCode, buffer.subarray(start, start + 10))))
    // the first is under way when the second comes, and the third waits for work that is alone
    const puts = parts.slice(0, 2).map(async part => writer.putAtOnce(part))
    await Promise.all(puts)
    const work = Promise.withResolvers<undefined>()
    const alone = writer.alone(async () => work.promise)
    const waiting = writer.putAtOnce(parts[2])
    work.resolve(undefined)
    await Promise.all([alone, waiting])
    buffer.fill(0)

    expect(kept.map(bytes => [...bytes])).to.deep.equal([0, 10, 20].map(start => Array.from({ length: 10 }, (_, i) => start + i)))
  })

  it('puts again for waiting callers after a failed put', async () => {
    const first = blockWriter(store).put(block)
    const second = blockWriter(store).put(block)
    await settle()
    store.puts[0].reject(new Error('disk full'))

    await expect(first).to.eventually.be.rejectedWith('disk full').and.with.property('cid', block.cid)
    await settle()
    store.puts[1].resolve(block.cid)
    await expect(second).to.eventually.equal(undefined)
  })

  it('puts blocks of equal bytes and different codecs one after the other', async () => {
    const other = await createBlock(dagCborCode, block.bytes)
    const puts = [block, other].map(async it => blockWriter(store).put(it))
    await settle()

    expect(store.puts).to.have.lengthOf(1)
    store.puts[0].resolve(block.cid)
    await settle()
    expect(store.puts).to.have.lengthOf(2)
    store.puts[1].resolve(other.cid)
    await Promise.allSettled(puts)
  })

  it('refuses blocks over 1 MiB', async () => {
    const large = await createBlock(rawCode, new Uint8Array(2 ** 20 + 1))

    await expect(blockWriter(store).put(large)).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', cid: large.cid })
    expect(store.puts).to.have.lengthOf(0)
  })
})
