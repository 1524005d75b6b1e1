import { expect } from 'aegir/chai'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { dagCborCode, decodeDirectory, encodeEntry, encodeLeaf, rawCode } from '../../src/codec/index.ts'
import { anyCid, refusal } from './refusal.ts'
import type { Attributes, Entry, Meta } from '../../src/codec/index.ts'

const cid = anyCid(dagCborCode)
const digest = create(0x12, new Uint8Array(32))

function file (name: string, bytes = 0, attributes?: Attributes): Entry {
  return { name, kind: 'file', content: new Uint8Array(bytes), size: bytes, attributes }
}

function symlink (target: string, attributes?: Attributes): Entry {
  return { name: 'a', kind: 'symlink', content: target, size: new TextEncoder().encode(target).byteLength, attributes }
}

/** A file entry of exactly this many bytes. */
function entryOf (bytes: number): Entry {
  return file('a', bytes - 11)
}

function metaOf (bytes: number): Meta {
  return { a: new Uint8Array(bytes - 6) }
}

function nested (depth: number): Meta {
  let value: Meta = {}

  for (let i = 1; i < depth; i++) {
    value = { a: value }
  }

  return value
}

/** An entry whose types a caller in JavaScript need not keep. */
function untyped (entry: unknown): Entry {
  return entry as Entry
}

const accepted: Array<[title: string, entry: Entry]> = [
  ['a name of 254 bytes', file('n'.repeat(254))],
  ['a name of 255 bytes', file('n'.repeat(255))],
  ['a name of 255 bytes in 85 characters', file('\uff5e'.repeat(85))],
  ['a target of 4,095 bytes', symlink('t'.repeat(4095))],
  ['a target of 4,096 bytes', symlink('t'.repeat(4096))],
  ['an entry of 65,535 bytes', entryOf(65_535)],
  ['an entry of 65,536 bytes', entryOf(65_536)],
  ['meta of 4,095 bytes', file('a', 0, { meta: metaOf(4095) })],
  ['meta of 4,096 bytes', file('a', 0, { meta: metaOf(4096) })],
  ['meta of depth 7', file('a', 0, { meta: nested(7) })],
  ['meta of depth 8', file('a', 0, { meta: nested(8) })],
  ['mode 0o7777', file('a', 0, { mode: 0o7777 })],
  ['999,999,999 nanoseconds', file('a', 0, { mtime: [0, 999_999_999] })],
  ['a key __proto__ in meta', file('a', 0, { meta: JSON.parse('{"__proto__":1}') })],
  ['attributes of which some are undefined', file('a', 0, { mode: 1, mtime: undefined })],
  ['a minus zero as a time, which is zero', file('a', 0, { mtime: [-0, 0] })]
]

const refused: Array<[title: string, entry: Entry]> = [
  ['an empty name', file('')],
  ['the name .', file('.')],
  ['the name ..', file('..')],
  ['a name with a slash', file('a/b')],
  ['a name with NUL', file('a\0')],
  ['a name with a surrogate alone', file('a\ud800')],
  ['a name of 256 bytes', file('n'.repeat(256))],
  ['a name of 258 bytes in 86 characters', file('\uff5e'.repeat(86))],
  ['a size that is not that of the bytes', { name: 'a', kind: 'file', content: new Uint8Array(2), size: 3 }],
  ['a size that is negative', { name: 'a', kind: 'directory', content: cid, size: -1 }],
  ['a size that is no integer', { name: 'a', kind: 'directory', content: cid, size: 0.5 }],
  ['a size of 2^53', { name: 'a', kind: 'directory', content: cid, size: 2 ** 53 }],
  ['a size that is NaN', { name: 'a', kind: 'directory', content: cid, size: NaN }],
  ['a raw block of no bytes', { name: 'a', kind: 'file', content: anyCid(rawCode), size: 0 }],
  ['an index of one byte', { name: 'a', kind: 'file', content: cid, size: 1 }],
  ['a directory in a raw block', { name: 'a', kind: 'directory', content: anyCid(rawCode), size: 0 }],
  ['a CIDv0', { name: 'a', kind: 'file', content: CID.createV0(digest), size: 9 }],
  ['a CID of dag-pb', { name: 'a', kind: 'directory', content: anyCid(0x70), size: 9 }],
  ['an identity CID', { name: 'a', kind: 'file', content: CID.createV1(rawCode, create(0, new Uint8Array(32))), size: 32 }],
  ['a CID with sha2-512', { name: 'a', kind: 'file', content: CID.createV1(rawCode, create(0x13, new Uint8Array(64))), size: 9 }],
  ['a CID with a truncated digest', { name: 'a', kind: 'file', content: CID.createV1(rawCode, create(0x12, new Uint8Array(20))), size: 9 }],
  ['an empty target', symlink('')],
  ['a target of 4,097 bytes', symlink('t'.repeat(4097))],
  ['a target with NUL', symlink('a\0')],
  ['a target with a surrogate alone', symlink('\udc00')],
  ['a size that is not that of the target', { name: 'a', kind: 'symlink', content: 'é', size: 1 }],
  ['empty attributes', file('a', 0, {})],
  ['attributes that are all undefined', file('a', 0, { mode: undefined })],
  ['an unknown attribute', untyped({ ...file('a'), attributes: { uid: 0 } })],
  ['a mode on a symbolic link', symlink('t', { mode: 0o777 })],
  ['a mode over 0o7777', file('a', 0, { mode: 0o10000 })],
  ['a mode below 0', file('a', 0, { mode: -1 })],
  ['a mode that is no integer', file('a', 0, { mode: 1.5 })],
  ['a billion nanoseconds', file('a', 0, { mtime: [0, 1_000_000_000] })],
  ['negative nanoseconds', file('a', 0, { mtime: [0, -1] })],
  ['seconds that are no integer', file('a', 0, { mtime: [0.5, 0] })],
  ['seconds of -2^53', file('a', 0, { mtime: [-(2 ** 53), 0] })],
  ['an mtime of one item', untyped({ ...file('a'), attributes: { mtime: [0] } })],
  ['an mtime that is a date', untyped({ ...file('a'), attributes: { mtime: new Date(0) } })],
  ['empty meta', file('a', 0, { meta: {} })],
  ['meta of 4,097 bytes', file('a', 0, { meta: metaOf(4097) })],
  ['meta of depth 9', file('a', 0, { meta: nested(9) })],
  ['a float in meta', file('a', 0, { meta: { a: 0.5 } })],
  ['an infinity in meta', file('a', 0, { meta: { a: Infinity } })],
  ['2^53 in meta', file('a', 0, { meta: { a: 2 ** 53 } })],
  ['null in meta', untyped({ ...file('a'), attributes: { meta: { a: null } } })],
  ['undefined in meta', untyped({ ...file('a'), attributes: { meta: { a: undefined } } })],
  ['a big integer in meta', untyped({ ...file('a'), attributes: { meta: { a: 1n } } })],
  ['a link in meta', untyped({ ...file('a'), attributes: { meta: { a: cid } } })],
  ['a date in meta', untyped({ ...file('a'), attributes: { meta: { a: new Date(0) } } })],
  ['a Map in meta', untyped({ ...file('a'), attributes: { meta: { a: new Map() } } })],
  ['a hole in a list in meta', untyped({ ...file('a'), attributes: { meta: { a: new Array(1) } } })],
  ['a function in meta', untyped({ ...file('a'), attributes: { meta: { a: () => 1 } } })],
  ['meta that is a list', untyped({ ...file('a'), attributes: { meta: ['a'] } })],
  ['a text in meta that begins with U+FEFF', file('a', 0, { meta: { a: '\ufeff' } })],
  ['a key in meta that begins with U+FEFF', file('a', 0, { meta: { '\ufeffa': 1 } })],
  ['a surrogate alone in meta', file('a', 0, { meta: { a: '\ud800' } })],
  ['a surrogate alone in a key of meta', file('a', 0, { meta: { '\ud800': 1 } })]
]

describe('codec/entry', () => {
  for (const [title, entry] of accepted) {
    it(`writes ${title}, and reads it back`, () => {
      expect(decodeDirectory({ cid, bytes: encodeLeaf([encodeEntry(entry)]) })).to.have.nested.property('entries[0].name', entry.name)
    })
  }

  for (const [title, entry] of refused) {
    it(`refuses to write ${title}`, () => {
      expect(refusal(encodeEntry, entry)).to.equal('InvalidNodeError')
    })
  }

  it('refuses to write an entry of 65,537 bytes', () => {
    expect(refusal(encodeEntry, entryOf(65_537))).to.equal('LimitExceededError')
  })

  it('never writes a minus zero', () => {
    expect(encodeEntry(file('a', 0, { mtime: [-0, 0] }))).to.deep.equal(encodeEntry(file('a', 0, { mtime: [0, 0] })))
  })

  it('does not modify the entry', () => {
    const entry = Object.freeze(file('a', 0, Object.freeze({ mode: 1, mtime: undefined })))
    encodeEntry(entry)

    expect(entry.attributes).to.deep.equal({ mode: 1, mtime: undefined })
  })
})
