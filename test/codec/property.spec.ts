import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { fromHex, toHex } from 'multiformats/bytes'
import { dagCborCode, readProperty } from '../../src/codec/index.ts'
import { random } from '../seed.ts'
import { mutate } from './mutate.ts'
import { anyValue, encoded, pathsOf, propertyFault, valueAt } from './property-twin.ts'
import { anyCid, refusal } from './refusal.ts'
import { parameters, runs } from './runs.ts'
import type { Path } from './property-twin.ts'

const cid = anyCid(dagCborCode)

const read: ReadonlyArray<[hex: string, path: Path, value: unknown]> = [
  ['a0', ['a'], undefined],
  ['80', [0], undefined],
  ['8101', [-1], undefined],
  ['8101', [0.5], undefined],
  ['8101', ['0'], undefined],
  ['a1613001', [0], undefined],
  ['a1613001', [0, 'a'], undefined],
  ['8101', ['a'], undefined],
  ['81820102', [0, 'a'], undefined],
  ['6161', ['a'], undefined],
  ['6161', [0], undefined],
  ['f6', ['a'], undefined],
  ['fb3ff8000000000000', [0], undefined],
  ['01', ['a'], undefined],
  ['a16001', [''], 1],
  ['a26001616102', ['a'], 2],
  ['a262c3a90163e282ac02', ['\u20ac'], 2],
  ['a262c3a90163e282ac02', ['\u00e9'], 1],
  ['f6', [], null],
  ['a26161016162f6', ['b'], null],
  ['a26162016261618101', ['aa', 0], 1],
  ['1bffffffffffffffff', [], 2n ** 64n - 1n],
  ['3bffffffffffffffff', [], -(2n ** 64n)],
  ['821b002000000000000001', [1], 1],
  ['fb3ff8000000000000', [], 1.5],
  ['8263efbbbf01', [0], '\ufeff'],
  ['a164efbbbf6105', ['\ufeffa'], 5],
  ['a1695f5f70726f746f5f5f05', ['__proto__'], 5],
  ['a163efbfbd01', ['\ufffd'], 1],
  ['a163efbfbd01', ['\ud800'], undefined],
  ['a163efbfbd01', ['\udfff'], undefined]
]

const refused: ReadonlyArray<[hex: string, path: Path, why: string]> = [
  ['', [], 'no bytes'],
  ['0101', [], 'bytes behind the value'],
  ['8201', [1], 'a list that ends early'],
  ['a3616201616102616303', ['c'], 'keys out of order before the key'],
  ['a2616101616102', ['b'], 'a key twice'],
  ['a10101', ['a'], 'a key that is no string'],
  ['821817f6', [1], 'an integer before it that is not in its shortest form'],
  ['82580101f6', [1], 'a length before it that is not in its shortest form'],
  ['829f01fff6', [1], 'an indefinite list before it'],
  ['82c101f6', [1], 'another tag before it'],
  ['82f7f6', [1], 'undefined before it'],
  ['82f93c00f6', [1], 'a half float before it'],
  ['82fb7ff8000000000000f6', [1], 'NaN before it'],
  ['fb7ff8000000000000', [], 'NaN'],
  ['fbfff0000000000000', [], '-Infinity'],
  ['fa3f800000', [], 'a float of four bytes'],
  ['1b00000000ffffffff', [], 'an integer that is not in its shortest form'],
  ['61ff', [], 'a string that is not UTF-8'],
  ['a2616201616102', [], 'a map that is out of order'],
  ['d82a40', [], 'a link of no bytes'],
  ['d82a420001', [], 'a link that is cut'],
  ['d82a58250000071120' + '00'.repeat(32), [], 'a link whose version 0 is written out'],
  ['9b0000000100000000', [0], 'a list of 2^32 items'],
  ['9b000000010000000001', [0], 'a list of 2^32 items before the first one'],
  ['9a0004000101', [0], 'a list of 262,145 items'],
  ['ba00040001616101', ['a'], 'a map of 262,145 items'],
  ['980105', [0], 'a list whose count is not in its shortest form'],
  ['b801616101', ['a'], 'a map whose count is not in its shortest form'],
  ['b801616101', ['b'], 'a map whose count is not in its shortest form, and that has no such key'],
  ['9f0102030405060708090aff', [0], 'an indefinite list on the way'],
  ['bf616101ff', ['a'], 'an indefinite map on the way'],
  ['81b801616101', [0, 'a'], 'a map on the way whose count is not in its shortest form'],
  ['9a7fffffff00', [5], 'more items than there are bytes'],
  ['', ['a'], 'no bytes in place of a map'],
  ['', [0], 'no bytes in place of a list'],
  ['ff', ['a'], 'a break in place of a map'],
  ['1800', [0], 'an integer that is not in its shortest form in place of a list'],
  ['f97c00', [0], 'a half float in place of a list'],
  ['81f7', [0, 'a'], 'undefined in place of a map'],
  ['6261', ['a'], 'a string that is cut in place of a map'],
  ['c140', [0], 'another tag in place of a list'],
  ['9f01ff', ['a'], 'an indefinite list in place of a map'],
  ['b801616101', [0], 'a map whose count is not in its shortest form in place of a list']
]

describe('codec/property', () => {
  for (const [hex, path, value] of read) {
    it(`reads ${JSON.stringify(path)} of ${hex}`, () => {
      expect(readProperty({ cid, bytes: fromHex(hex) }, path)).to.equal(value)
    })
  }

  for (const [hex, path, why] of refused) {
    it(`refuses ${why}`, () => {
      expect(refusal(bytes => readProperty({ cid, bytes }, path), fromHex(hex))).to.equal('InvalidNodeError')
    })
  }

  it('reads a map whose keys begin with U+FEFF', () => {
    // whatever @ipld/dag-cbor makes of them when it decodes
    const map = { '\ufeff': 1, '\ufeffa': { '\ufeffb': 2 } }

    expect(encoded(readProperty({ cid, bytes: dagCbor.encode([map]) }, [0]))).to.equal(encoded(map))
  })

  it('names the block in its errors if the CID is given', () => {
    const bytes = fromHex('f7')

    expect(() => readProperty({ bytes, cid }, [])).to.throw().with.property('cid', cid)
    expect(() => readProperty({ bytes }, [])).to.throw().with.property('name', 'InvalidNodeError')
  })

  it('looks for keys of any length', () => {
    const long = '\u00e9'.repeat(300_000)

    expect(readProperty({ bytes: dagCbor.encode({ [long]: 1 }) }, [long])).to.equal(1)
    expect(readProperty({ bytes: dagCbor.encode({ a: 1 }) }, [long])).to.equal(undefined)
  })

  it('reads 512 levels and refuses one more', () => {
    const nested = (levels: number): Uint8Array => Uint8Array.from([...new Uint8Array(levels).fill(0x81), 0])
    const readAll = (bytes: Uint8Array): unknown => readProperty({ cid, bytes }, [])

    expect(refusal(readAll, nested(512))).to.equal(undefined)
    expect(refusal(readAll, nested(513))).to.equal('LimitExceededError')
  })

  it('skips values nested a million deep', () => {
    const deep = new Uint8Array(1_000_000).fill(0x81)

    expect(readProperty({ cid, bytes: Uint8Array.from([0x82, ...deep, 0, 7]) }, [1])).to.equal(7)
  })

  it('reads every property of any value as @ipld/dag-cbor does', () => {
    fc.assert(fc.property(anyValue, value => {
      const bytes = dagCbor.encode(value)
      const decoded = dagCbor.decode(bytes)

      for (const path of pathsOf(decoded)) {
        expect(encoded(readProperty({ cid, bytes }, path)), JSON.stringify(path)).to.equal(encoded(valueAt(decoded, path)))
      }
    }), parameters(500))
  })

  it('refuses mutated blocks with a typed error, or returns their content', () => {
    const next = random()
    const originals = fc.sample(anyValue, 300).map(value => ({ bytes: dagCbor.encode(value), paths: pathsOf(value) }))
    const all = originals.map(({ bytes }) => bytes)

    for (let i = runs(10_000); i > 0; i--) {
      const { bytes, paths } = originals[i % originals.length]
      const mutated = mutate(bytes, all, next)
      const path = paths[Math.floor(next() * paths.length)]

      expect(propertyFault(mutated, path), `${path.join('/')} of ${toHex(mutated)}`).to.equal(undefined)
    }
  })
})
