import { expect } from 'aegir/chai'
import { GcProtectedSet } from '../../src/pack/writing/gc-protected-set.ts'

const start = { segment: 1, offset: 0 }
// what a Set can hold
const many = 2 ** 24

describe('blocks that puts added or found', function () {
  this.timeout(120_000)
  const key = new Uint8Array(35)

  /** One of many keys, in the same array each time */
  function keyOf (number: number): Uint8Array {
    new DataView(key.buffer).setUint32(31, number)

    return key
  }

  it('are each protected, however many, until a root is published', () => {
    const protectedSet = new GcProtectedSet(start)

    for (let number = 0; number <= many; number++) {
      protectedSet.add(keyOf(number))
    }

    for (let number = 0; number <= many; number += 1_001) {
      expect(protectedSet.isFound(keyOf(number))).to.equal(true)
    }

    // few others are taken for them
    expect(protectedSet.isFound(keyOf(many + 1))).to.equal(false)
    expect(protectedSet.isFound(keyOf(2 * many))).to.equal(false)

    protectedSet.mark(start)()
    expect(protectedSet.isFound(keyOf(0))).to.equal(false)
  })

  it('are each protected when they become many', () => {
    const protectedSet = new GcProtectedSet(start)
    const around = 2 ** 18

    for (let number = 0; number < around + 3; number++) {
      protectedSet.add(keyOf(number))

      if (number > around - 3) {
        expect(protectedSet.isFound(keyOf(number))).to.equal(true)
        expect(protectedSet.isFound(keyOf(number + 1))).to.equal(false)
      }
    }

    for (let number = 0; number < around + 3; number += 101) {
      expect(protectedSet.isFound(keyOf(number))).to.equal(true)
    }
  })
})
