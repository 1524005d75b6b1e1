import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../../src/index.ts'
import { HandMade } from '../hand-made.ts'
import type { Part } from '../../../src/codec/index.ts'
import type { DagFs } from '../../../src/index.ts'

const unlimited = { blocks: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** A filesystem with a file of 2^50 bytes, in 1,024 parts a level of five blocks, which has chunks of another layout. */
async function withHugeFile (): Promise<DagFs> {
  const blockstore = new MemoryBlockstore()
  const make = new HandMade(blockstore)
  let part: Part = { length: 1_024, link: await make.raw(new Uint8Array(1_024).fill(1)) }

  for (let level = 0; level < 4; level++) {
    part = await make.index(new Array<Part>(1_024).fill(part))
  }

  const { link: root } = await make.leaf([{ name: 'huge', kind: 'file', content: part.link, size: part.length }])

  return dagfs({ blockstore }, { root })
}

describe('fs/draft, given a file of 2^50 bytes in five blocks', () => {
  let fs: DagFs

  beforeEach(async () => { fs = await withHugeFile() })

  const refusal = { name: 'LimitExceededError', code: 'ERR_LIMIT_EXCEEDED', path: '/huge', limit: 1_000, exceeded: 'blocks' }
  const limits = { blocks: 1_000 }

  it('accepts a write, and fails at its limit on close', async () => {
    const handle = await fs.open('/huge', 'r+')
    await handle.write('x', 2 ** 49)

    await expect(handle.close({ limits })).to.eventually.be.rejected.and.include(refusal)
    expect(handle.fd).to.equal(-1)
  })

  it('fails sync, datasync and commit at their limits, and keeps the edit', async () => {
    const handle = await fs.open('/huge', 'r+')
    await handle.write('x', 2 ** 49)

    await expect(handle.sync({ limits })).to.eventually.be.rejected.and.include(refusal)
    await expect(handle.datasync({ limits })).to.eventually.be.rejected.and.include(refusal)
    await expect(fs.commit({ limits })).to.eventually.be.rejected.and.include(refusal)

    const { buffer } = await handle.read({ buffer: new Uint8Array(2), position: 2 ** 49 })
    expect(Array.from(buffer)).to.deep.equal([0x78, 1])
  })

  it('fails them at the limit of bytes', async () => {
    const handle = await fs.open('/huge', 'r+')
    await handle.write('x', 2 ** 49)

    await expect(handle.sync({ limits: { bytes: 2 ** 20 } })).to.eventually.be.rejected.and.include({ name: 'LimitExceededError', limit: 2 ** 20, exceeded: 'bytes' })
  })

  const calls = ['sync', 'close', 'commit'] as const

  calls.forEach(call => {
    it(`stops ${call} soon after its signal is aborted`, async () => {
      const handle = await fs.open('/huge', 'r+')
      await handle.write('x', 2 ** 49)
      const controller = new AbortController()
      let aborted = 0
      setTimeout(() => {
        aborted = performance.now()
        controller.abort(new Error('enough'))
      }, 20)
      const options = { signal: controller.signal, limits: unlimited }

      await expect(call === 'commit' ? fs.commit(options) : handle[call](options)).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      // 20 ms on a machine that does nothing else
      expect(performance.now() - aborted).to.be.below(1_000)
    })
  })

  it('does not begin with an aborted signal, and stays open', async () => {
    const handle = await fs.open('/huge', 'r+')
    const signal = AbortSignal.abort(new Error('too late'))

    await expect(handle.read({ signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'too late')
    await expect(handle.write(new Uint8Array(1), { signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'too late')
    await expect(handle.truncate(1, { signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'too late')
    await expect(handle.close({ signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'too late')
    expect((await handle.stat()).size).to.equal(2 ** 50)
    await handle.close()
  })

  it('converts a file of another layout if the limits allow it', async () => {
    const content = new Uint8Array(3_000).fill(1)
    await fs.truncate('/huge', content.byteLength)
    await fs.writeFile('/same', content)
    await fs.commit()

    expect((await fs.stat('/huge')).cid).to.deep.equal((await fs.stat('/same')).cid)
  })
})
