import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { LocationTable } from '../../src/pack/block-index/location-table.ts'
import { bytesOf } from './stores.ts'

/** A key as the index has them, of one codec or another */
function keyOf (number: number): Uint8Array {
  const codec = number % 3 === 0 ? [0x01, 0x29] : [0x55]

  return Uint8Array.of(...codec, 0x12, 0x20, ...bytesOf(number, 32))
}

/** Entries as text, in an order of their own */
function listed (entries: Iterable<[key: string | Uint8Array, location: unknown]>): string[] {
  return [...entries].map(([key, location]) => `${typeof key === 'string' ? key : hex(key)} ${JSON.stringify(location)}`).sort()
}

function hex (key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

describe('a table of locations', () => {
  it('maps keys to locations at any size', () => {
    const location = fc.option(fc.record({ segment: fc.integer({ min: 1, max: 2 ** 31 }), offset: fc.maxSafeNat(), length: fc.nat({ max: 2 ** 21 }) }), { nil: undefined })

    fc.assert(fc.property(fc.array(fc.tuple(fc.nat({ max: 3_000 }), location), { maxLength: 5_000, size: 'max' }), sets => {
      const table = new LocationTable()
      const model = new Map<string, unknown>()

      for (const [number, value] of sets) {
        table.set(keyOf(number), value)
        model.set(hex(keyOf(number)), value)
      }

      expect(table.size).to.equal(model.size)
      expect(listed(table.entries())).to.deep.equal(listed(model))
      expect(listed(table.roughlySorted())).to.deep.equal(listed(model))

      for (let number = 0; number <= 3_001; number += 7) {
        const key = keyOf(number)
        expect(table.has(key)).to.equal(model.has(hex(key)))
        expect(JSON.stringify(table.get(key))).to.equal(JSON.stringify(model.get(hex(key))))
      }
    }), { numRuns: 20 })
  })

  it('merges another table over itself', () => {
    const [table, other] = [new LocationTable(), new LocationTable()]
    const place = { segment: 1, offset: 2, length: 3 }
    table.set(keyOf(1), place)
    table.set(keyOf(2), place)
    other.set(keyOf(2), undefined)
    other.set(keyOf(4), place)
    table.setAll(other)

    expect([1, 2, 4].map(number => table.get(keyOf(number)))).to.deep.equal([place, undefined, place])
    expect(table.has(keyOf(2))).to.equal(true)
  })

  for (const [count, bits] of [[2_000, 11], [40_000, 16]]) {
    it(`returns ${count} keys ordered by the first ${bits} bits of their hashes`, () => {
      const table = new LocationTable()

      for (let number = 0; number < count; number++) {
        table.set(keyOf(number), undefined)
      }

      const hashes = [...table.roughlySorted()].map(([key]) => key.subarray(-32))
      const places = hashes.map(([first, second]) => (first << 8 | second) >> 16 - bits)
      expect(places).to.have.lengthOf(count)
      expect(places).to.deep.equal(places.toSorted((a, b) => a - b))
    })
  }
})
