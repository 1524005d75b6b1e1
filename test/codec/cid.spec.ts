import { expect } from 'aegir/chai'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { sha256 } from 'multiformats/hashes/sha2'
import { createBlock, dagCborCode, isBlockIntact, isSupportedCid, rawCode } from '../../src/codec/index.ts'
import { pattern } from '../vectors/notation.ts'

describe('codec/cid', () => {
  // browsers hash below and above 4,096 bytes in two ways
  for (const size of [0, 1, 4095, 4096, 4097, 2 ** 20]) {
    it(`computes the CID of ${size} bytes as multiformats does`, async () => {
      const bytes = pattern(size)

      for (const code of [rawCode, dagCborCode] as const) {
        const { cid } = await createBlock(code, bytes)

        expect(cid.toString()).to.equal(CID.createV1(code, await sha256.digest(bytes)).toString())
        expect(CID.parse(cid.toString()).equals(cid)).to.equal(true)
      }
    })
  }

  it('accepts bytes that match a CID', async () => {
    const { cid, bytes } = await createBlock(rawCode, pattern(100))

    expect(await isBlockIntact(cid, bytes)).to.equal(true)
  })

  it('finds every flipped bit', async () => {
    const { cid, bytes } = await createBlock(rawCode, pattern(20))

    for (let bit = 0; bit < 160; bit++) {
      const flipped = bytes.slice()
      flipped[bit >> 3] ^= 1 << (bit & 7)

      expect(await isBlockIntact(cid, flipped), `bit ${bit}`).to.equal(false)
    }
  })

  it('finds truncated and extended bytes', async () => {
    const { cid, bytes } = await createBlock(rawCode, pattern(20))

    expect(await isBlockIntact(cid, bytes.subarray(0, 19))).to.equal(false)
    expect(await isBlockIntact(cid, Uint8Array.from([...bytes, 0]))).to.equal(false)
  })

  it('refuses a digest under another hash code', async () => {
    const { cid, bytes } = await createBlock(rawCode, pattern(20))
    const { digest } = cid.multihash
    const longer = new Uint8Array(64)
    longer.set(digest)

    for (const multihash of [create(0x1e, digest), create(0x00, digest), create(0x13, longer), create(0x12, longer), create(0x12, digest.subarray(0, 20))]) {
      expect(await isBlockIntact(CID.createV1(rawCode, multihash), bytes)).to.equal(false)
    }
  })

  it('supports only version 1, sha2-256, raw and dag-cbor', () => {
    const digest = create(0x12, new Uint8Array(32))

    expect([rawCode, dagCborCode].every(code => isSupportedCid(CID.createV1(code, digest)))).to.equal(true)
    expect([0x70, 0x0129, 0x51, 0x00].some(code => isSupportedCid(CID.createV1(code, digest)))).to.equal(false)
    expect(isSupportedCid(CID.createV0(digest))).to.equal(false)
  })
})
