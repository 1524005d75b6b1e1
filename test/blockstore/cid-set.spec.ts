import { expect } from 'aegir/chai'
import { CidSet } from '../../src/blockstore/index.ts'
import { cidOf, dagCborCode, rawCode } from '../../src/codec/index.ts'
import type { CID } from 'multiformats/cid'

describe('blockstore/cid-set', () => {
  it('reports each CID as new once', () => {
    const cids = new CidSet()
    const added: boolean[] = []

    for (let i = 0; i < 5_000; i++) {
      added.push(cids.add(cidWith(i)), cids.add(cidWith(i >> 1)))
    }

    expect(added.filter((_, i) => i % 2 === 0)).to.deep.equal(Array(5_000).fill(true))
    expect(added.filter((_, i) => i % 2 === 1)).to.deep.equal(Array(5_000).fill(false))
  })

  it('distinguishes a raw block from a node with the same digest', () => {
    const cids = new CidSet()

    expect([cidWith(1), cidWith(1, dagCborCode), cidWith(1)].map(cid => cids.add(cid))).to.deep.equal([true, true, false])
  })
})

/** Digests that differ in their last bytes alone */
function cidWith (number: number, code: typeof rawCode | typeof dagCborCode = rawCode): CID {
  const digest = new Uint8Array(32)
  new DataView(digest.buffer).setUint32(28, number)

  return cidOf(code, digest)
}
