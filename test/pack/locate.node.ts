import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { concat } from '../../src/bytes.ts'
import { locateSections, placesIn } from '../../src/pack/format/locate.ts'
import { endOf, readHead, writeHead } from '../../src/pack/format/section.ts'
import { bytesOf } from './stores.ts'

function sectionOf (codec: readonly number[], length: number): Uint8Array {
  const key = Uint8Array.of(...codec, 0x12, 0x20, ...bytesOf(length, 32))
  const head = new Uint8Array(5 + key.byteLength)

  return concat([head.subarray(0, writeHead(head, 0, key, length)), bytesOf(length + 1, length)])
}

/** The same by the slow twin, one section after the other */
function locateSlowly (bytes: Uint8Array): number[] | undefined {
  const ends: number[] = []

  for (let at = 0; at < bytes.byteLength; at = ends[ends.length - 1]) {
    const section = readHead(bytes, at, 0)

    if (section === undefined || endOf(section) > bytes.byteLength) {
      return
    }

    ends.push(endOf(section))
  }

  return ends
}

describe('locating sections', () => {
  const section = fc.tuple(fc.constantFrom([0x55], [0x71], [0x01, 0x29], [0xa9, 0x02]), fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 20_000 })))
    .map(([codec, length]) => sectionOf(codec, length))
  const flip = fc.record({ at: fc.nat({ max: 200 }), bit: fc.nat({ max: 7 }) })

  it('finds the same sections as reading head after head, damaged or not', () => {
    fc.assert(fc.property(fc.array(section, { maxLength: 12 }), fc.option(flip), (sections, change) => {
      const bytes = concat(sections)

      if (change !== null && bytes.byteLength > 0) {
        bytes[change.at % bytes.byteLength] ^= 1 << change.bit
      }

      const places = placesIn(bytes)
      const located = locateSections(bytes, places, true)
      expect(located === undefined ? undefined : [...places.ends.subarray(0, located.length)]).to.deep.equal(locateSlowly(bytes))
    }), { numRuns: 2_000 })
  })
})
