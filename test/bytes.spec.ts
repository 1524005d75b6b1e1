import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { concat, gather } from '../src/bytes.ts'
import './seed.ts'

async function * stream (parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield * parts
}

describe('bytes', () => {
  it('are joined as they come, whatever length was claimed', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 })
    // none, fewer, as many, more, and more than anybody has
    const claimed = fc.oneof(fc.nat(200), fc.constantFrom(0, 2 ** 26 + 1, Number.MAX_SAFE_INTEGER))

    await fc.assert(fc.asyncProperty(parts, claimed, fc.boolean(), async (given, number, isTrue) => {
      const all = concat(given)

      expect(await gather(stream(given), isTrue ? all.byteLength : number)).to.deep.equal(all)
    }))
  })

  it('are a copy, even of one part', async () => {
    const part = Uint8Array.of(1, 2, 3)
    const gathered = await gather(stream([part]), 3)
    part.fill(0)

    expect(gathered).to.deep.equal(Uint8Array.of(1, 2, 3))
  })
})
