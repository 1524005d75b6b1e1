import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { dagCborCode, encodeEntry } from '../../src/codec/index.ts'
import { Writer } from '../../src/codec/writer.ts'
import { entry } from './arbitraries.ts'
import { anyCid } from './refusal.ts'
import { parameters } from './runs.ts'
import type { Entry } from '../../src/codec/index.ts'

const kinds = { file: 'f', directory: 'd', symlink: 'l' }

function twin ({ name, kind, content, size, attributes }: Entry): Uint8Array {
  return dagCbor.encode([name, kinds[kind], content, size, ...(attributes === undefined ? [] : [attributes])])
}

describe('codec/writer', () => {
  it('writes entries as @ipld/dag-cbor does', () => {
    fc.assert(fc.property(entry, it => {
      fc.pre(it.attributes === undefined || Object.keys(it.attributes).length > 0)
      expect(encodeEntry(it)).to.deep.equal(twin(it))
    }), parameters())
  })

  for (const value of [0, 23, 24, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48 + 1, Number.MAX_SAFE_INTEGER]) {
    it(`writes ${value} as @ipld/dag-cbor does`, () => {
      const writer = new Writer(9)
      writer.head(0, value)

      expect(writer.finish()).to.deep.equal(dagCbor.encode(value))
    })
  }

  for (const text of ['', 'a', 'a'.repeat(23), 'a'.repeat(24), 'ab\u0080', 'é'.repeat(12), '\ufeff', '👋', 'a'.repeat(300)]) {
    it(`writes the text ${JSON.stringify(text.slice(0, 24))} of ${text.length} units as @ipld/dag-cbor does`, () => {
      const writer = new Writer(9 + 3 * text.length)
      writer.text(text)

      expect(writer.finish()).to.deep.equal(dagCbor.encode(text))
    })
  }

  it('writes a link as @ipld/dag-cbor does', () => {
    const cid = anyCid(dagCborCode)
    const writer = new Writer(41)
    writer.link(cid)

    expect(writer.finish()).to.deep.equal(dagCbor.encode(cid))
  })

  it('leaves what was finished alone', () => {
    const first = new Writer(3)
    first.head(0, 1000)
    const bytes = first.finish()
    const second = new Writer(3)
    second.head(0, 2000)
    second.finish()

    expect(bytes).to.deep.equal(dagCbor.encode(1000))
  })
})
