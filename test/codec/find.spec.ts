import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { fromHex, toHex } from 'multiformats/bytes'
import { dagCborCode, decodeDirectory, encodeBranch, encodeBranches, encodeEntry, encodeLeaf, findInDirectory } from '../../src/codec/index.ts'
import { random } from '../seed.ts'
import * as arbitraries from './arbitraries.ts'
import { fixtures, mutatedFixture } from './fixtures.ts'
import { expectAgreement, lookUpFault, names } from './look-up-twin.ts'
import { nearlyValid } from './nearly-valid.ts'
import { anyCid, refusal } from './refusal.ts'
import { parameters, runs } from './runs.ts'

const cid = anyCid(dagCborCode)

describe('codec/find', () => {
  it('finds in every fixture what decoding finds', () => {
    const blocks = fixtures.map(({ bytes }) => ({ cid, bytes })).filter(block => refusal(decodeDirectory, block) === undefined)
    blocks.forEach(expectAgreement)

    expect(blocks).to.have.length.above(10)
  })

  it('finds in any leaf what decoding finds', () => {
    fc.assert(fc.property(arbitraries.entries, entries => {
      expectAgreement({ cid, bytes: encodeLeaf(entries.map(encodeEntry)) })
    }), parameters(300))
  })

  it('finds in any branch node what decoding finds', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 15 }), arbitraries.branches, (level, branches) => {
      expectAgreement({ cid, bytes: encodeBranches(level, branches.map(encodeBranch)) })
    }), parameters(300))
  })

  it('refuses mutated blocks with a typed error, or returns their content', () => {
    const next = random()

    for (let i = runs(10_000); i > 0; i--) {
      const { bytes } = mutatedFixture(next)

      for (const name of names) {
        expect(lookUpFault({ cid, bytes }, name), toHex(bytes)).to.equal(undefined)
      }
    }
  })

  it('refuses nearly valid blocks with a typed error, or returns their content', () => {
    fc.assert(fc.property(nearlyValid, fc.constantFrom(...names), ({ bytes }, name) => {
      expect(lookUpFault({ cid, bytes }, name)).to.equal(undefined)
    }), parameters(3000))
  })

  it('refuses a block with names out of order, wherever the name is', () => {
    const entry = (name: string): Uint8Array => encodeEntry({ name, kind: 'file', content: new Uint8Array(), size: 0 })
    const block = { cid, bytes: encodeLeaf(['a', 'c', 'b', 'd'].map(entry)) }

    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      expect(refusal(() => findInDirectory(block, name), block)).to.equal('InvalidNodeError')
    }
  })

  it('does not read content that was not requested', () => {
    // a link of sha2-512 in the entry `a`, and `b` behind it
    const other = ['84', '6161', '6164', 'd82a5825000171', '1340', '00'.repeat(32), '00'].join('')
    const block = { cid, bytes: fromHex(`a16364697282${other}84616261664000`) }
    const found = findInDirectory(block, 'b')

    expect(found).to.deep.include({ count: 2, size: 0, entry: { name: 'b', kind: 'file', content: new Uint8Array(), size: 0 } })
    expect(refusal(block => findInDirectory(block, 'a'), block)).to.equal('InvalidNodeError')
    expect(refusal(decodeDirectory, block)).to.equal('InvalidNodeError')
  })
})
