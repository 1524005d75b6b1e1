import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { fromHex, toHex } from 'multiformats/bytes'
import { dagCborCode } from '../../src/codec/index.ts'
import { random } from '../seed.ts'
import { decoders, treatmentFault } from './dag-cbor-twin.ts'
import { failures } from './failures.ts'
import { fixtures, mutatedFixture } from './fixtures.ts'
import { nearlyValid } from './nearly-valid.ts'
import { anyCid, refusal } from './refusal.ts'
import { parameters, runs } from './runs.ts'
import type { Kind } from './dag-cbor-twin.ts'

const cid = anyCid(dagCborCode)
const kinds = Object.keys(decoders) as Kind[]

describe('the decoders against @ipld/dag-cbor', () => {
  it('handles blocks of past failures correctly', () => {
    for (const { kind, hex, error, why } of failures) {
      const block = { cid, bytes: fromHex(hex) }

      expect(refusal(decoders[kind], block), why).to.equal(error)
      expect(treatmentFault(kind, block), why).to.equal(undefined)
    }
  })

  it('accepts fixtures that re-encode to themselves, and refuses others', () => {
    for (const kind of kinds) {
      for (const { bytes } of fixtures) {
        expect(treatmentFault(kind, { cid, bytes }), toHex(bytes)).to.equal(undefined)
      }
    }
  })

  it('refuses mutated blocks with a typed error, or re-encodes them to themselves', () => {
    const next = random()

    for (let i = runs(20_000); i > 0; i--) {
      const { kind, bytes } = mutatedFixture(next)
      const fault = treatmentFault(kind, { cid, bytes })

      if (fault !== undefined) {
        expect.fail(`a ${kind} of ${toHex(bytes)}: ${fault}`)
      }
    }
  })

  it('refuses nearly valid blocks with a typed error, or re-encodes them to themselves', () => {
    fc.assert(fc.property(nearlyValid, ({ kind, bytes }) => {
      expect(treatmentFault(kind, { cid, bytes })).to.equal(undefined)
    }), parameters(5000))
  })

  it('refuses random bytes with a typed error, or re-encodes them to themselves', () => {
    fc.assert(fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      expect(treatmentFault(kind, { cid, bytes })).to.equal(undefined)
    }), parameters(2000))
  })

  it('refuses random bytes after a node\'s head, or re-encodes them to themselves', () => {
    const head = fc.constantFrom('a1636469728184', 'a16364697281856161616640', 'a16364697281', 'a16464697273820181846161', 'a168736e617073686f74a3', '818201', '8182')

    fc.assert(fc.property(fc.constantFrom(...kinds), head, fc.uint8Array({ maxLength: 60 }), (kind, start, rest) => {
      const bytes = Uint8Array.from([...fromHex(start), ...rest])

      expect(treatmentFault(kind, { cid, bytes })).to.equal(undefined)
    }), parameters(2000))
  })
})
