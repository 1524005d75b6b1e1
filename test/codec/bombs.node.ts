import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'aegir/chai'
import { dagCborCode } from '../../src/codec/index.ts'
import { readBytes, vectors } from '../vectors/notation.ts'
import { decoders } from './dag-cbor-twin.ts'
import { anyCid, refusal } from './refusal.ts'

const maxBytes = 16 * 2 ** 20

// the heap is counted right after a collection, so that what is counted next is what was allocated since
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function usedBytes (): number {
  const { heapUsed, external } = process.memoryUsage()

  return heapUsed + external
}

describe('memory for blocks that claim more than they hold', () => {
  for (const vector of vectors.invalid.filter(({ pieces }) => pieces !== undefined)) {
    it(`refuses ${vector.title} in less than ${maxBytes} bytes`, () => {
      const block = { cid: anyCid(vector.codec ?? dagCborCode), bytes: readBytes(vector) }
      collectGarbage()
      const before = usedBytes()
      const error = refusal(decoders[vector.kind], block)
      const allocated = usedBytes() - before

      expect(error).to.equal(vector.error)
      expect(allocated).to.be.below(maxBytes)
    })
  }
})
