import { expect } from 'aegir/chai'
import { MovedPlaces } from '../../src/pack/block-index/moved-places.ts'
import { maxHeadBytes } from '../../src/pack/format/section.ts'
import type { Location } from '../../src/pack/format/locations.ts'

// of the shortest head
const headBytes = 37

describe('locations of moved blocks', () => {
  /** Places with heads of some bytes between the data */
  function places (segment: number, start: number, count: number, length: number, betweenBytes = headBytes): Location[] {
    return Array.from({ length: count }, (_, i) => ({ segment, offset: start + i * (length + betweenBytes), length }))
  }

  function added (list: readonly Location[]): MovedPlaces {
    const moved = new MovedPlaces()
    list.forEach(each => { moved.add(each) })

    return moved
  }

  it('include exactly those that were added', () => {
    const list = [...places(1, 100, 3, 50), ...places(1, 5_000, 2, 0), ...places(2, 100, 1, 7), ...places(4, 200, 5, 10, maxHeadBytes)]
    const moved = added(list)

    list.forEach(each => { expect(moved.has(each), JSON.stringify(each)).to.equal(true) })

    for (const [segment, offset] of [[1, 99], [1, 400], [1, 4_999], [1, 5_038], [2, 99], [2, 101], [3, 100], [4, 199], [4, 433], [5, 0]]) {
      expect(moved.has({ segment, offset }), `${segment}, ${offset}`).to.equal(false)
    }
  })

  it('exclude an empty block that was put between them', () => {
    const [first, put, second] = places(1, 100, 3, 0)
    const moved = added([first, second])

    expect([first, put, second].map(each => moved.has(each))).to.deep.equal([true, false, true])
  })

  it('are forgotten before a record that publishes roots', () => {
    const [before, behind] = [places(1, 100, 3, 50), places(1, 1_000, 3, 50)]
    const moved = added([...before, ...behind])
    moved.forgetBefore({ segment: 1, offset: 900 })

    expect(before.some(each => moved.has(each))).to.equal(false)
    expect(behind.every(each => moved.has(each))).to.equal(true)
  })
})
