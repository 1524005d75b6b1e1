import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { fromHex, toHex } from 'multiformats/bytes'
import { areEqualBytes } from '../../src/bytes.ts'
import { dagCborCode, decodeDirectory, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, findInDirectory, isLeaf } from '../../src/codec/index.ts'
import { compareNames } from '../../src/path.ts'
import { random } from '../seed.ts'
import * as arbitraries from './arbitraries.ts'
import { fixtures, mutatedFixture } from './fixtures.ts'
import { nearlyValid } from './nearly-valid.ts'
import { anyCid, refusal } from './refusal.ts'
import { parameters, runs } from './runs.ts'
import type { Block, Entry, FoundInDirectory } from '../../src/codec/index.ts'

const cid = anyCid(dagCborCode)
const refusals = ['InvalidNodeError', 'UnsupportedVersionError', 'LimitExceededError']
const names = ['a', 'b', 'n', '\u{1f600}', '']

/** What the look-up must answer, out of all that the block holds. */
function lookedUp (block: Block, name: string): FoundInDirectory {
  const node = decodeDirectory(block)

  if (isLeaf(node)) {
    const { entries } = node
    const size = entries.reduce((sum, entry) => sum + (entry.kind === 'symlink' ? 0 : entry.size), 0)

    return { level: 0, first: entries[0]?.name, count: entries.length, size, entry: entries.find(entry => entry.name === name) }
  }

  const { level, branches } = node

  return {
    level,
    first: branches[0].first,
    count: branches.reduce((sum, { count }) => sum + count, 0),
    size: branches.reduce((sum, { size }) => sum + size, 0),
    branch: branches.findLast(({ first }) => compareNames(first, name) <= 0) ?? branches[0],
    branches: branches.length
  }
}

function expectAgreement (block: Block): void {
  const node = decodeDirectory(block)
  const present = isLeaf(node) ? node.entries.map(({ name }) => name) : node.branches.map(({ first }) => first)

  for (const name of [...present, ...present.map(name => `${name}!`), ...names]) {
    expect(findInDirectory(block, name), `${name} in ${toHex(block.bytes)}`).to.deep.equal(lookedUp(block, name))
  }
}

/** What is wrong with how a look-up treats bytes that may be anything, or undefined. */
function treatmentFault (block: Block, name: string): string | undefined {
  const error = refusal(block => findInDirectory(block, name), block)

  if (error !== undefined) {
    if (!refusals.includes(error)) {
      return `it was refused with ${error}`
    }

    return refusal(decodeDirectory, block) === undefined ? 'it was refused, and decodes' : undefined
  }

  if (refusal(decodeDirectory, block) === undefined) {
    expectAgreement(block)
    return
  }

  const found = findInDirectory(block, name)

  return 'entry' in found && found.entry !== undefined ? entryFault(block, found.entry) : undefined
}

/** In a block that is refused as a whole, an entry is still what `@ipld/dag-cbor` reads there. */
function entryFault ({ bytes }: Block, entry: Entry): string | undefined {
  const encoded = encodeEntry(entry)
  const at = bytes.findIndex((_, i) => areEqualBytes(bytes.subarray(i, i + encoded.byteLength), encoded))

  if (at === -1) {
    return 'it answered an entry that does not stand there'
  }

  const tuple: unknown[] = dagCbor.decode(bytes.subarray(at, at + encoded.byteLength))

  // the twin drops a leading U+FEFF
  return tuple[0] === entry.name.replace(/^\ufeff/, '') ? undefined : 'it answered another name'
}

describe('codec/find', () => {
  it('finds in every fixture what decoding it finds', () => {
    const blocks = fixtures.map(({ bytes }) => ({ cid, bytes })).filter(block => refusal(decodeDirectory, block) === undefined)
    blocks.forEach(expectAgreement)

    expect(blocks).to.have.length.above(10)
  })

  it('finds in any leaf what decoding it finds', () => {
    fc.assert(fc.property(arbitraries.entries, entries => {
      expectAgreement({ cid, bytes: encodeLeaf(entries.map(encodeEntry)) })
    }), parameters(300))
  })

  it('finds in any branch node what decoding it finds', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 15 }), arbitraries.branches, (level, branches) => {
      expectAgreement({ cid, bytes: encodeBranches(level, branches.map(encodeBranch)) })
    }), parameters(300))
  })

  it('refuses mutated blocks with a typed error, or answers what stands there', () => {
    const next = random()

    for (let i = runs(10_000); i > 0; i--) {
      const { bytes } = mutatedFixture(next)

      for (const name of names) {
        expect(treatmentFault({ cid, bytes }, name), toHex(bytes)).to.equal(undefined)
      }
    }
  })

  it('refuses blocks that are nearly valid with a typed error, or answers what stands there', () => {
    fc.assert(fc.property(nearlyValid, fc.constantFrom(...names), ({ bytes }, name) => {
      expect(treatmentFault({ cid, bytes }, name)).to.equal(undefined)
    }), parameters(3000))
  })

  it('refuses a block whose names are out of order, wherever the name would stand', () => {
    const entry = (name: string): Uint8Array => encodeEntry({ name, kind: 'file', content: new Uint8Array(), size: 0 })
    const block = { cid, bytes: encodeLeaf(['a', 'c', 'b', 'd'].map(entry)) }

    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      expect(refusal(() => findInDirectory(block, name), block)).to.equal('InvalidNodeError')
    }
  })

  it('does not read content that was not asked for', () => {
    // a link of sha2-512 in the entry `a`, and `b` behind it
    const other = ['84', '6161', '6164', 'd82a5825000171', '1340', '00'.repeat(32), '00'].join('')
    const block = { cid, bytes: fromHex(`a16364697282${other}84616261664000`) }
    const found = findInDirectory(block, 'b')

    expect(found).to.deep.include({ count: 2, size: 0, entry: { name: 'b', kind: 'file', content: new Uint8Array(), size: 0 } })
    expect(refusal(block => findInDirectory(block, 'a'), block)).to.equal('InvalidNodeError')
    expect(refusal(decodeDirectory, block)).to.equal('InvalidNodeError')
  })
})
