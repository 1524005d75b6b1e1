import { expect } from 'aegir/chai'
import { Recent } from '../../src/blockstore/index.ts'

describe('blockstore/recent', () => {
  it('counts the memory of an item, not only its bytes', () => {
    const recent = new Recent<{ readonly bytes: Uint8Array }>(10_000, ({ bytes }) => 1_000 + bytes.byteLength)

    for (let i = 0; i < 100; i++) {
      recent.set(String(i), { bytes: new Uint8Array(1) })
    }

    const kept = Array.from({ length: 100 }, (_, i) => String(i)).filter(key => recent.get(key) !== undefined)
    expect(kept).to.deep.equal(['91', '92', '93', '94', '95', '96', '97', '98', '99'])
  })
})
