import { expect } from 'aegir/chai'
import { toHex } from 'multiformats/bytes'
import { rawCode } from '../../src/codec/index.ts'
import { readContent } from './notation.ts'
import { writeVector } from './write-vector.ts'
import type { FileVector } from './notation.ts'

/**
 * Holds the files that are written against their vectors.
 */
export function fileSuite (files: readonly FileVector[]): void {
  for (const vector of files) {
    it(`writes ${vector.title}`, async () => {
      const indexes = new Map<string, string>()
      let rawBlocks = 0

      const { content, size } = await writeVector(vector, ({ cid, bytes }) => {
        if (cid.code === rawCode) {
          rawBlocks++
        } else {
          indexes.set(cid.toString(), toHex(bytes))
        }
      })

      expect(content).to.deep.equal(readContent(vector.content))
      expect({ size, rawBlocks }).to.deep.equal({ size: vector.bytes, rawBlocks: vector.rawBlocks })
      expect([...indexes.keys()]).to.have.members([...new Set(vector.indexes.map(({ cid }) => cid))])

      for (const { cid, hex } of vector.indexes.filter(index => index.hex !== undefined)) {
        expect(indexes.get(cid)).to.equal(hex)
      }
    })
  }
}
