import { expect } from 'aegir/chai'
import { concat } from '../../src/bytes.ts'
import { dagCborCode, decodeDirectory, decodeParts, decodeRootRecord, decodeSnapshot, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, encodeParts, encodeRootRecord, encodeSnapshot, rawCode } from '../../src/codec/index.ts'
import { nodeLinks } from './arbitraries.ts'
import { anyCid, refusal } from './refusal.ts'

const cid = anyCid(dagCborCode)

/** The head of a map of one key. */
function mapOf (key: string): Uint8Array {
  const text = new TextEncoder().encode(key)

  return concat([Uint8Array.of(0xa1, 0x60 + text.byteLength), text])
}

describe('codec/versions', () => {
  for (const [what, rest] of [
    ['nothing', []],
    ['a value', [0x80]],
    ['a value and more bytes', [0x80, 0x00]],
    ['a float', [0xf9, 0x3c, 0x00]],
    ['bytes that are no CBOR', [0xff, 0xff]]
  ] as const) {
    it(`reports a future key as unknown, even if followed by ${what}`, () => {
      for (const [key, decode] of [['dir2', decodeDirectory], ['index2', decodeParts], ['snapshot2', decodeSnapshot]] as const) {
        expect(refusal(decode, { cid, bytes: concat([mapOf(key), Uint8Array.from(rest)]) }), key).to.equal('UnsupportedVersionError')
      }

      expect(refusal(({ bytes }) => decodeRootRecord(bytes), { cid, bytes: concat([mapOf('root2'), Uint8Array.from(rest)]) })).to.equal('UnsupportedVersionError')
    })
  }

  it('reports a known key in another place as invalid', () => {
    const leaf = encodeLeaf([])
    const branches = encodeBranches(1, ['a', 'b'].map(first => encodeBranch({ first, link: cid, count: 1, size: 0 })))
    const index = encodeParts([{ length: 1, link: anyCid(rawCode) }, { length: 1, link: anyCid(rawCode) }])
    const snapshot = encodeSnapshot({ tree: cid, parents: [], generation: 0 })

    for (const [decode, others] of [[decodeDirectory, [index, snapshot]], [decodeParts, [leaf, branches, snapshot]], [decodeSnapshot, [leaf, branches, index]]] as const) {
      expect(others.map(bytes => refusal(decode, { cid, bytes }))).to.deep.equal(others.map(() => 'InvalidNodeError'))
    }
  })

  it('accepts reserved and suggested keys of meta', () => {
    const meta = { 'dagfs:': 1, 'dagfs:key': true, uid: 0, gid: 4_294_967_294, btime: [-1, 500_000_000] }
    const entry = encodeEntry({ name: 'a', kind: 'file', content: new Uint8Array(0), size: 0, attributes: { meta } })
    const snapshot = encodeSnapshot({ tree: cid, parents: [], generation: 0, meta: { author: 'Ada', signature: Uint8Array.of(1) } })

    expect(refusal(decodeDirectory, { cid, bytes: encodeLeaf([entry]) })).to.equal(undefined)
    expect(refusal(decodeSnapshot, { cid, bytes: snapshot })).to.equal(undefined)
  })

  it('writes records of at most 201 bytes', () => {
    const [tree, previous, last] = nodeLinks
    const longest = encodeRootRecord({ tree, previous, snapshot: last, layout: { width: 1_024, chunkBytes: 1_048_576, inlineBytes: 32_768 } })

    expect(longest.byteLength).to.equal(201)
  })
})
