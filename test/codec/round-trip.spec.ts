import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { CID } from 'multiformats/cid'
import { createBlock, dagCborCode, decodeDirectory, decodeParts, decodeSnapshot, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, encodeParts, encodeSnapshot, isLeaf, links } from '../../src/codec/index.ts'
import { branches, entries, parts, snapshot } from './arbitraries.ts'
import { treatmentFault } from './dag-cbor-twin.ts'
import { anyCid } from './refusal.ts'
import { parameters } from './runs.ts'
import { toPlain } from './to-plain.ts'

const cid = anyCid(dagCborCode)

describe('encoding and decoding', () => {
  it('preserves the entries of a leaf', () => {
    fc.assert(fc.property(entries, list => {
      const node = decodeDirectory({ cid, bytes: encodeLeaf(list.map(encodeEntry)) })

      expect(isLeaf(node) && toPlain(node.entries)).to.deep.equal(toPlain(list))
    }), parameters())
  })

  it('preserves the branches of a node', () => {
    fc.assert(fc.property(branches, fc.integer({ min: 1, max: 15 }), (list, level) => {
      const node = decodeDirectory({ cid, bytes: encodeBranches(level, list.map(encodeBranch)) })

      expect(toPlain({ level: node.level, branches: isLeaf(node) ? [] : node.branches })).to.deep.equal(toPlain({ level, branches: list }))
    }), parameters())
  })

  it('preserves the parts of an index', () => {
    fc.assert(fc.property(parts, list => {
      expect(toPlain(decodeParts({ cid, bytes: encodeParts(list) }))).to.deep.equal(toPlain(list))
    }), parameters())
  })

  it('preserves a snapshot', () => {
    fc.assert(fc.property(snapshot, value => {
      expect(toPlain(decodeSnapshot({ cid, bytes: encodeSnapshot(value) }))).to.deep.equal(toPlain(value))
    }), parameters())
  })

  it('writes what @ipld/dag-cbor writes', () => {
    fc.assert(fc.property(entries, branches, parts, snapshot, (leaf, node, index, commit) => {
      expect(treatmentFault('directory', { cid, bytes: encodeLeaf(leaf.map(encodeEntry)) })).to.equal(undefined)
      expect(treatmentFault('directory', { cid, bytes: encodeBranches(3, node.map(encodeBranch)) })).to.equal(undefined)
      expect(treatmentFault('index', { cid, bytes: encodeParts(index) })).to.equal(undefined)
      expect(treatmentFault('snapshot', { cid, bytes: encodeSnapshot(commit) })).to.equal(undefined)
    }), parameters())
  })

  it('returns the position of each item of a node', () => {
    fc.assert(fc.property(entries, list => {
      const encoded = list.map(encodeEntry)
      const { bytes, offsets } = decodeDirectory({ cid, bytes: encodeLeaf(encoded) })

      expect(toPlain(encoded.map((_, i) => bytes.subarray(offsets[i], offsets[i + 1])))).to.deep.equal(toPlain(encoded))
    }), parameters())
  })

  it('finds the same links as a generic walk of the block', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(entries.map(list => encodeLeaf(list.map(encodeEntry))), parts.map(encodeParts), snapshot.map(encodeSnapshot), branches.map(list => encodeBranches(1, list.map(encodeBranch)))), async bytes => {
      const block = await createBlock(dagCborCode, bytes)
      expect(links(block).map(String)).to.have.members(linksOf(dagCbor.decode(bytes)).map(String))
    }), parameters(50))
  })
})

/** The links in any IPLD value. */
function linksOf (value: unknown): CID[] {
  const cid = CID.asCID(value)

  if (cid !== null) {
    return [cid]
  }

  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? Object.values(value).flatMap(linksOf) : []
}
