import { expect } from 'aegir/chai'
import { fromHex } from 'multiformats/bytes'
import { dagCborCode, decodeDirectory, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, isLeaf, rawCode } from '../../src/codec/index.ts'
import { anyCid, refusal, thrown } from './refusal.ts'
import type { Branch, Entry } from '../../src/codec/index.ts'

const cid = anyCid(dagCborCode)
const branch: Branch = { first: 'a', link: cid, count: 1, size: 0 }

function file (name: string, bytes: number): Entry {
  return { name, kind: 'file', content: new Uint8Array(bytes), size: bytes }
}

/** A leaf with this many bytes of entries, 131,072 or more. */
function leafOf (bytes: number): Uint8Array {
  return encodeLeaf([file('a', 65_536 - 11), file('b', 65_536 - 11), file('c', bytes - 131_072 - 11)].map(encodeEntry))
}

/** Some bytes, and 65,535 control characters behind them. */
function withLongText (hex: string): Uint8Array {
  const start = fromHex(hex)
  const bytes = new Uint8Array(start.byteLength + 0xffff)
  bytes.set(start)

  return bytes
}

describe('codec/directory', () => {
  it('writes the empty directory as six bytes', () => {
    expect(encodeLeaf([])).to.deep.equal(Uint8Array.of(0xa1, 0x63, 0x64, 0x69, 0x72, 0x80))
  })

  it('reads leaves of 196,606 and 196,607 bytes of entries', () => {
    for (const bytes of [196_606, 196_607]) {
      const node = decodeDirectory({ cid, bytes: leafOf(bytes) })

      expect(isLeaf(node) && node.entries.length).to.equal(3)
    }
  })

  it('refuses a leaf of 196,608 bytes of entries, above every boundary', () => {
    expect(refusal(decodeDirectory, { cid, bytes: leafOf(196_608) })).to.equal('InvalidNodeError')
  })

  it('excludes the bytes of symbolic links from the size of a leaf', () => {
    const entries: Entry[] = [{ name: 'a', kind: 'file', content: cid, size: 2 ** 53 - 1 }, { name: 'b', kind: 'symlink', content: 'a', size: 1 }]

    expect(refusal(decodeDirectory, { cid, bytes: encodeLeaf(entries.map(encodeEntry)) })).to.equal(undefined)
  })

  it('reads levels 1 and 15', () => {
    for (const level of [1, 15]) {
      expect(decodeDirectory({ cid, bytes: encodeBranches(level, [encodeBranch(branch)]) })).to.have.property('level', level)
    }
  })

  it('writes no level 0 or 16', () => {
    for (const level of [0, 16]) {
      expect(refusal(() => encodeBranches(level, [encodeBranch(branch)]), undefined)).to.equal('InvalidNodeError')
    }
  })

  for (const [title, change] of [
    ['a name that is unsafe', { first: '..' }],
    ['no entries', { count: 0 }],
    ['a count of 2^53', { count: 2 ** 53 }],
    ['a size of 2^53', { size: 2 ** 53 }],
    ['a negative size', { size: -1 }],
    ['a raw block', { link: anyCid(rawCode) }]
  ] as const) {
    it(`refuses to write a branch of ${title}`, () => {
      expect(refusal(encodeBranch, { ...branch, ...change })).to.equal('InvalidNodeError')
    })
  }

  it('shortens a long unknown type in the message', () => {
    expect(thrown(decodeDirectory, { cid, bytes: withLongText('a179ffff') })).to.have.property('message').with.lengthOf.below(1000)
  })

  it('shortens a long unknown kind in the message', () => {
    expect(thrown(decodeDirectory, { cid, bytes: withLongText('a1636469728184616179ffff') })).to.have.property('message').with.lengthOf.below(1000)
  })
})
