import { expect } from 'aegir/chai'
import { sha256 as reference } from 'multiformats/hashes/sha2'
import { sha256 } from '../src/hash.ts'

describe('sha256', () => {
  // browsers hash up to 512 bytes in another way than more, and Node up to 262,144
  for (const length of [0, 1, 511, 512, 513, 262_144, 262_145, 1_048_576]) {
    it(`gives the digest of ${length} bytes`, async () => {
      const bytes = Uint8Array.from({ length }, (_, index) => index % 251)

      expect(Uint8Array.from(await sha256(bytes))).to.deep.equal(Uint8Array.from((await reference.digest(bytes)).digest))
    })
  }

  it('hashes the bytes as of the call', async () => {
    const bytes = new Uint8Array(1_048_576).fill(1)
    const digest = sha256(bytes)
    bytes.fill(2)

    expect(Uint8Array.from(await digest)).to.deep.equal(Uint8Array.from((await reference.digest(bytes.fill(1))).digest))
  })

  it('hashes a part of a larger array', async () => {
    const bytes = Uint8Array.from({ length: 2_000 }, (_, index) => index % 251)

    expect(Uint8Array.from(await sha256(bytes.subarray(7, 1_007)))).to.deep.equal(Uint8Array.from((await reference.digest(bytes.slice(7, 1_007))).digest))
  })
})
