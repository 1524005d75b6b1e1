import { expect } from 'aegir/chai'
import { fromHex, toHex } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import { createBlock, dagCborCode, decodeDirectory, decodeParts, decodeRootRecord, decodeSnapshot, encodeEntry, encodeLeaf, encodeRootRecord, encodeSnapshot, isLeaf, links } from '../../src/codec/index.ts'
import { readBytes, readEntry, readRootRecord, readSnapshot, vectors } from '../vectors/notation.ts'
import { decoders } from './dag-cbor-twin.ts'
import { anyCid, refusal, thrown } from './refusal.ts'
import { toPlain } from './to-plain.ts'
import type { Kind } from './dag-cbor-twin.ts'
import type { Block } from '../../src/codec/index.ts'

describe('vectors of leaves', () => {
  for (const { title, entries, cid, hex } of vectors.entries) {
    const values = entries.map(readEntry)

    it(`writes ${title}`, async () => {
      const block = await createBlock(dagCborCode, encodeLeaf(values.map(encodeEntry)))

      expect(block.cid.toString()).to.equal(cid)
      expect(hex === undefined || equal(block.bytes, fromHex(hex))).to.equal(true)
    })

    it(`reads ${title}`, async () => {
      const block = await createBlock(dagCborCode, encodeLeaf(values.map(encodeEntry)))
      const node = decodeDirectory(block)

      expect(isLeaf(node) && toPlain(node.entries)).to.deep.equal(toPlain(values))
    })
  }
})

describe('vectors of snapshots', () => {
  for (const { title, snapshot, cid, hex } of vectors.snapshots) {
    const value = readSnapshot(snapshot)

    it(`writes ${title}`, async () => {
      const block = await createBlock(dagCborCode, encodeSnapshot(value))

      expect(block.cid.toString()).to.equal(cid)
      expect(hex === undefined || equal(block.bytes, fromHex(hex))).to.equal(true)
    })

    it(`reads ${title}`, () => {
      expect(toPlain(decodeSnapshot({ cid: CID.parse(cid), bytes: encodeSnapshot(value) }))).to.deep.equal(toPlain(value))
    })
  }
})

describe('vectors of root records', () => {
  for (const { title, root, hex } of vectors.roots) {
    const value = readRootRecord(root)

    it(`writes ${title}`, () => {
      expect(toHex(encodeRootRecord(value))).to.equal(hex)
    })

    it(`reads ${title}`, () => {
      expect(toPlain(decodeRootRecord(fromHex(hex)))).to.deep.equal(toPlain(value))
    })
  }
})

describe('vectors of index blocks', () => {
  for (const { title, indexes } of vectors.files) {
    it(`reads the index blocks of ${title}`, () => {
      for (const { cid, hex } of indexes) {
        expect(hex === undefined || decodeParts({ cid: CID.parse(cid), bytes: fromHex(hex) }).length > 0).to.equal(true)
      }
    })
  }
})

describe('valid blocks that are truncated or extended', () => {
  for (const [kind, title, block] of validBlocks()) {
    it(`refuses every prefix of ${title}`, () => {
      // of long blocks, every 61st: bytes of one string differ in nothing
      const step = block.bytes.byteLength > 1024 ? 61 : 1

      for (let end = 0; end < block.bytes.byteLength; end += step) {
        expect(refusal(decoders[kind], { cid: block.cid, bytes: block.bytes.subarray(0, end) }), `the first ${end} bytes`).to.equal('InvalidNodeError')
      }
    })

    it(`refuses a byte after ${title}`, () => {
      expect(refusal(decoders[kind], { cid: block.cid, bytes: Uint8Array.from([...block.bytes, 0]) })).to.equal('InvalidNodeError')
    })
  }
})

describe('vectors of invalid blocks', () => {
  for (const vector of vectors.invalid) {
    const { title, kind, error, codec = dagCborCode } = vector

    it(`refuses ${title} as ${kind}`, () => {
      const block = { cid: anyCid(codec), bytes: readBytes(vector) }

      expect(refusal(decoders[kind], block)).to.equal(error)
    })

    if (kind === 'root') {
      continue
    }

    it(`names the block of ${title} as ${kind}`, () => {
      const block = { cid: anyCid(codec), bytes: readBytes(vector) }

      expect(thrown(decoders[kind], block)).to.have.property('cid', block.cid)
    })

    if (kind !== 'index' && codec === dagCborCode) {
      it(`finds no links in ${title}, read as a block of any kind`, () => {
        const block = { cid: anyCid(codec), bytes: readBytes(vector) }
        const others = kind === 'directory' ? [decodeParts, decodeSnapshot] : [decodeParts, decodeDirectory]

        // what is no directory may be another node
        expect(refusal(links, block) !== undefined || others.some(decode => refusal(decode, block) === undefined)).to.equal(true)
      })
    }
  }
})

function * validBlocks (): Generator<[Kind, string, Block]> {
  for (const { title, cid, hex } of vectors.entries) {
    if (hex !== undefined) {
      yield ['directory', title, { cid: CID.parse(cid), bytes: fromHex(hex) }]
    }
  }

  for (const { title, cid, hex } of vectors.snapshots) {
    if (hex !== undefined) {
      yield ['snapshot', title, { cid: CID.parse(cid), bytes: fromHex(hex) }]
    }
  }

  for (const { title, hex } of vectors.roots) {
    yield ['root', title, { cid: anyCid(dagCborCode), bytes: fromHex(hex) }]
  }

  for (const { title, indexes } of vectors.files) {
    for (const { cid, hex } of indexes.slice(-1)) {
      if (hex !== undefined) {
        yield ['index', `the root index of ${title}`, { cid: CID.parse(cid), bytes: fromHex(hex) }]
      }
    }
  }
}

function equal (a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i])
}
