import { expect } from 'aegir/chai'
import { Touched } from '../../src/pack/writing/touched.ts'

const start = { segment: 1, offset: 0 }
// what a Set can hold
const many = 2 ** 24

describe('blocks that were put and found', function () {
  this.timeout(120_000)
  const key = new Uint8Array(35)

  /** One of many keys, in the same array each time */
  function keyOf (number: number): Uint8Array {
    new DataView(key.buffer).setUint32(31, number)

    return key
  }

  it('are each remembered, however many they are, until a root is published', () => {
    const touched = new Touched(start)

    for (let number = 0; number <= many; number++) {
      touched.add(keyOf(number))
    }

    for (let number = 0; number <= many; number += 1_001) {
      expect(touched.isFound(keyOf(number))).to.equal(true)
    }

    // few others are taken for them
    expect(touched.isFound(keyOf(many + 1))).to.equal(false)
    expect(touched.isFound(keyOf(2 * many))).to.equal(false)

    touched.mark(start)()
    expect(touched.isFound(keyOf(0))).to.equal(false)
  })

  it('are each remembered where they become many', () => {
    const touched = new Touched(start)
    const around = 2 ** 18

    for (let number = 0; number < around + 3; number++) {
      touched.add(keyOf(number))

      if (number > around - 3) {
        expect(touched.isFound(keyOf(number))).to.equal(true)
        expect(touched.isFound(keyOf(number + 1))).to.equal(false)
      }
    }

    for (let number = 0; number < around + 3; number += 101) {
      expect(touched.isFound(keyOf(number))).to.equal(true)
    }
  })
})
