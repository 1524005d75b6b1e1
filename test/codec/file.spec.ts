import { expect } from 'aegir/chai'
import { dagCborCode, decodeParts, encodeParts, rawCode } from '../../src/codec/index.ts'
import { anyCid, refusal } from './refusal.ts'
import type { Part } from '../../src/codec/index.ts'

const cid = anyCid(dagCborCode)
const part: Part = { length: 1, link: anyCid(rawCode) }

function partsOf (count: number): Part[] {
  return Array.from({ length: count }, () => part)
}

describe('codec/file', () => {
  for (const count of [1, 1023, 1024]) {
    it(`writes an index of ${count} parts, and reads it back`, () => {
      expect(decodeParts({ cid, bytes: encodeParts(partsOf(count)) })).to.have.lengthOf(count)
    })
  }

  for (const [title, parts] of [
    ['no parts', []],
    ['1,025 parts', partsOf(1025)],
    ['a part of no bytes', [part, { ...part, length: 0 }]],
    ['a part of half a byte', [{ ...part, length: 0.5 }]],
    ['lengths that add up to 2^53', [{ ...part, length: 2 ** 53 - 1 }, part]],
    ['raw blocks beside indexes', [part, { ...part, link: cid }]],
    ['a CID of dag-pb', [{ ...part, link: anyCid(0x70) }]]
  ] as const) {
    it(`refuses to write an index of ${title}`, () => {
      expect(refusal(encodeParts, parts)).to.equal('InvalidNodeError')
    })
  }
})
