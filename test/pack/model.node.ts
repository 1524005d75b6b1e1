import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import { keyOf } from '../../src/pack/format/section.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { block, blocks, bytesOf, Directories, readBlock } from './stores.ts'
import type { TestBlock } from './stores.ts'

type Step =
  | { readonly kind: 'put' | 'delete', readonly block: number }
  | { readonly kind: 'reopen' | 'sync' | 'gc' | 'publish' | 'compact' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('put', 'delete'), block: fc.nat({ max: 29 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reopen', 'sync', 'gc', 'publish', 'compact') }) }
)

const options = { segmentBytes: 4_096, recordAfterMs: 5 }

describe('the pack store', function () {
  this.timeout(120_000)
  const directories = new Directories()

  after(async () => {
    await directories.removeAll()
  })

  it('behaves as a map of blocks and roots under random operations', async () => {
    const pool = [...await blocks(20, 300), ...await blocks(10, 3_000, 100)]

    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      const directory = await directories.make()
      const model = new Map<number, TestBlock>()
      let store = new PackBlockstore(directory, options)
      let published = 0
      await store.open()

      for (const { kind, ...what } of steps) {
        const number = 'block' in what ? what.block : 0
        const { cid, bytes } = pool[number]

        if (kind === 'put') {
          await store.put(cid, bytes)
          model.set(number, pool[number])
        } else if (kind === 'delete') {
          await store.delete(cid)
          model.delete(number)
        } else if (kind === 'reopen') {
          await store.close()
          store = new PackBlockstore(directory, options)
          await store.open()
        } else if (kind === 'sync') {
          await store.sync()
        } else if (kind === 'compact') {
          await store.compact()
        } else if (kind === 'publish') {
          expect(await store.roots.compareAndSet('main', published === 0 ? undefined : Uint8Array.of(published), Uint8Array.of(published + 1))).to.equal(true)
          published++
        } else {
          await store.gc({ roots: [...model.values()].map(({ cid }) => cid), links: () => [], keepUncommitted: false })
        }
      }

      for (const [i, { cid, bytes }] of pool.entries()) {
        expect(await store.has(cid)).to.equal(model.has(i))

        if (model.has(i)) {
          expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
        }
      }

      expect((await all(store.getAll())).map(({ cid }) => String(cid)).sort()).to.deep.equal([...model.values()].map(({ cid }) => String(cid)).sort())
      expect((await store.roots.get('main'))?.[0] ?? 0).to.equal(published)
      expect((await store.verify()).problems).to.deep.equal([])
      await store.close()
    }), { numRuns: Number(process.env.RUNS ?? 30) })
  })

  it('distinguishes blocks of equal bytes and different codecs', async () => {
    const directory = await directories.make()
    const [raw, cbor] = [await block(bytesOf(1, 10)), await block(bytesOf(1, 10), 0x71)]
    const store = new PackBlockstore(directory, options)
    await store.open()
    await store.put(raw.cid, raw.bytes)
    expect(await store.has(cbor.cid)).to.equal(false)
    await store.put(cbor.cid, cbor.bytes)
    const codes = (await all(store.getAll())).map(({ cid }) => cid.code)
    await store.close()

    expect(codes).to.deep.equal([0x55, 0x71])
    expect(keyOf(raw.cid)).to.not.deep.equal(keyOf(cbor.cid))
  })
})
