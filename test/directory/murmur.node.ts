import { expect } from 'aegir/chai'
import fc from 'fast-check'
import murmur from 'murmurhash3js-revisited'
import { murmur3 } from '../../src/directory/murmur.ts'
import '../seed.ts'

describe('murmur3', () => {
  it('computes the hashes of another implementation', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(15), (bytes, seed) => {
      expect(murmur3(bytes, seed)).to.equal(murmur.x86.hash32(bytes, seed))
    }), { numRuns: 2_000 })
  })
})
