import { expect } from 'aegir/chai'
import { dagCborCode } from '../../src/codec/index.ts'
import { readBytes, vectors } from '../vectors/notation.ts'
import { decoders } from './dag-cbor-twin.ts'
import { anyCid, refusal } from './refusal.ts'
import type { Kind } from './dag-cbor-twin.ts'
import type { Block } from '../../src/codec/index.ts'

const maxMs = 10
// the machine may be busy with something else for once, a bomb is slow each time
const tries = 5

function fastestMs (kind: Kind, block: Block): number {
  return Math.min(...Array.from({ length: tries }, () => {
    const start = performance.now()
    refusal(decoders[kind], block)

    return performance.now() - start
  }))
}

describe('blocks that claim more than they hold', () => {
  for (const vector of vectors.invalid.filter(({ pieces }) => pieces !== undefined)) {
    it(`refuses ${vector.title} in less than ${maxMs} ms`, () => {
      const block = { cid: anyCid(vector.codec ?? dagCborCode), bytes: readBytes(vector) }

      expect(refusal(decoders[vector.kind], block)).to.equal(vector.error)
      expect(fastestMs(vector.kind, block)).to.be.below(maxMs)
    })
  }
})
