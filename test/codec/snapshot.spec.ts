import { expect } from 'aegir/chai'
import { dagCborCode, decodeSnapshot, encodeSnapshot, rawCode } from '../../src/codec/index.ts'
import { dagfs1 } from '../../src/file/index.ts'
import { nodeLinks } from './arbitraries.ts'
import { anyCid, refusal } from './refusal.ts'
import { toPlain } from './to-plain.ts'
import type { Layout, Snapshot } from '../../src/codec/index.ts'

const cid = anyCid(dagCborCode)
const least: Snapshot = { tree: cid, parents: [], generation: 0 }

function layout (others: Partial<Layout>): Snapshot {
  return { ...least, layout: { width: 1024, chunkBytes: 2 ** 20, inlineBytes: 0, ...others } }
}

/** A snapshot whose types a caller in JavaScript need not keep. */
function untyped (snapshot: unknown): Snapshot {
  return snapshot as Snapshot
}

const accepted: Array<[title: string, snapshot: Snapshot]> = [
  ['15 parents', { ...least, parents: nodeLinks.slice(0, 15), generation: 1 }],
  ['16 parents', { ...least, parents: nodeLinks.slice(0, 16), generation: 1 }],
  ['a message of one byte', { ...least, message: 'm' }],
  ['a message of 65,535 bytes', { ...least, message: 'm'.repeat(65_535) }],
  ['a message of 65,536 bytes', { ...least, message: 'm'.repeat(65_536) }],
  ['meta of 16,384 bytes', { ...least, meta: { a: new Uint8Array(16_384 - 6) } }],
  ['a layout of width 2', layout({ width: 2 })],
  ['a layout of chunks of one byte', layout({ chunkBytes: 1 })],
  ['a layout that inlines 32,768 bytes', layout({ inlineBytes: 32_768 })],
  ['a layout that inlines whole chunks', layout({ chunkBytes: 100, inlineBytes: 100 })],
  ['fields that are undefined', { ...least, time: undefined, message: undefined }],
  ['attributes of which some are undefined', { ...least, attributes: { mode: 1, mtime: undefined } }]
]

const refused: Array<[title: string, snapshot: Snapshot]> = [
  ['a tree in a raw block', { ...least, tree: anyCid(rawCode) }],
  ['a parent in a raw block', { ...least, parents: [anyCid(rawCode)], generation: 1 }],
  ['17 parents', { ...least, parents: nodeLinks.slice(0, 17), generation: 1 }],
  ['a parent twice', { ...least, parents: [cid, nodeLinks[0], cid], generation: 1 }],
  ['generation 0 with a parent', { ...least, parents: [cid] }],
  ['generation 1 without parents', { ...least, generation: 1 }],
  ['a generation of 2^53', { ...least, parents: [cid], generation: 2 ** 53 }],
  ['an empty message', { ...least, message: '' }],
  ['a message of 65,537 bytes', { ...least, message: 'm'.repeat(65_537) }],
  ['a message that begins with U+FEFF', { ...least, message: '\ufeffm' }],
  ['a message with a surrogate alone', { ...least, message: 'a\ud800' }],
  ['empty meta', { ...least, meta: {} }],
  ['meta of 16,385 bytes', { ...least, meta: { a: new Uint8Array(16_385 - 6) } }],
  ['empty attributes', { ...least, attributes: {} }],
  ['attributes that are all undefined', { ...least, attributes: { mode: undefined } }],
  ['a time with a billion nanoseconds', { ...least, time: [0, 1_000_000_000] }],
  ['a layout of width 1', layout({ width: 1 })],
  ['a layout of width 1,025', layout({ width: 1025 })],
  ['a layout of chunks of no bytes', layout({ chunkBytes: 0 })],
  ['a layout of chunks of 1,048,577 bytes', layout({ chunkBytes: 2 ** 20 + 1 })],
  ['a layout that inlines 32,769 bytes', layout({ inlineBytes: 32_769 })],
  ['a layout that inlines more than a chunk', layout({ chunkBytes: 100, inlineBytes: 101 })],
  ['a layout of width 2.5', layout({ width: 2.5 })],
  ['a layout of width NaN', layout({ width: NaN })],
  ['a layout of chunks of 2.5 bytes', layout({ chunkBytes: 2.5 })],
  ['a layout that inlines half a byte', layout({ inlineBytes: 0.5 })],
  ['the default layout', layout({ inlineBytes: 2048 })],
  ['a layout with an unknown key', untyped({ ...least, layout: { width: 1024, chunkBytes: 2 ** 20, inlineBytes: 0, hash: 'sha2-256' } })],
  ['an unknown field', untyped({ ...least, author: 'A' })]
]

describe('codec/snapshot', () => {
  for (const [title, snapshot] of accepted) {
    it(`writes ${title}, and reads it back`, () => {
      expect(toPlain(decodeSnapshot({ cid, bytes: encodeSnapshot(snapshot) }))).to.deep.equal(toPlain(snapshot))
    })
  }

  for (const [title, snapshot] of refused) {
    it(`refuses to write ${title}`, () => {
      expect(refusal(encodeSnapshot, snapshot)).to.equal('InvalidNodeError')
    })
  }

  it('treats the default layout as absent', () => {
    const { chunker: { maxChunkBytes }, width, inlineBytes } = dagfs1

    expect(refusal(encodeSnapshot, { ...least, layout: { chunkBytes: maxChunkBytes, width, inlineBytes } })).to.equal('InvalidNodeError')
  })

  it('refuses a snapshot in a raw block', () => {
    expect(refusal(decodeSnapshot, { cid: anyCid(rawCode), bytes: encodeSnapshot(least) })).to.equal('InvalidNodeError')
  })
})
