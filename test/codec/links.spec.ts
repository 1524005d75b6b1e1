import { expect } from 'aegir/chai'
import { dagCborCode, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, encodeParts, encodeSnapshot, links, rawCode } from '../../src/codec/index.ts'
import { anyCid, refusal } from './refusal.ts'

const cid = anyCid(dagCborCode)
const [raw, node, other] = [anyCid(rawCode, 1), anyCid(dagCborCode, 2), anyCid(dagCborCode, 3)]

function linksOf (bytes: Uint8Array, code = dagCborCode): string[] {
  return links({ cid: anyCid(code), bytes }).map(String)
}

describe('codec/links', () => {
  it('finds none in a raw block, whatever its bytes', () => {
    expect(linksOf(encodeParts([{ length: 1, link: raw }]), rawCode)).to.deep.equal([])
  })

  it('finds links of entries in order, and none in inlined files and symbolic links', () => {
    const leaf = encodeLeaf([
      encodeEntry({ name: 'a', kind: 'file', content: raw, size: 1 }),
      encodeEntry({ name: 'b', kind: 'file', content: new Uint8Array(1), size: 1 }),
      encodeEntry({ name: 'c', kind: 'symlink', content: 'a', size: 1 }),
      encodeEntry({ name: 'd', kind: 'directory', content: node, size: 0 })
    ])

    expect(linksOf(leaf)).to.deep.equal([raw, node].map(String))
  })

  it('finds links of branches and parts', () => {
    const branches = [node, other].map((link, i) => encodeBranch({ first: `${i}`, link, count: 1, size: 0 }))

    expect(linksOf(encodeBranches(1, branches))).to.deep.equal([node, other].map(String))
    expect(linksOf(encodeParts([node, other].map(link => ({ length: 1, link }))))).to.deep.equal([node, other].map(String))
  })

  it('finds the tree and the parents of a snapshot', () => {
    expect(linksOf(encodeSnapshot({ tree: node, parents: [other, cid], generation: 1 }))).to.deep.equal([node, other, cid].map(String))
  })

  it('refuses a block of an unknown type', () => {
    expect(refusal(links, { cid, bytes: Uint8Array.of(0xa1, 0x61, 0x61, 0x80) })).to.equal('UnsupportedVersionError')
  })
})
