import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WHOLE_RANGE_BELOW, saySpread, spreadOf } from '../src/report/spread.ts'

function samplesOf (count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

describe('the spread of samples', () => {
  it('is their whole range if too few for percentiles', () => {
    for (let count = 1; count < WHOLE_RANGE_BELOW; count++) {
      const { low, high } = spreadOf(samplesOf(count))

      assert.deepEqual([low, high], [1, count])
    }
  })

  it('is narrower than their range if there are more', () => {
    const { low, high } = spreadOf(samplesOf(WHOLE_RANGE_BELOW))

    assert.ok(low > 1 && high < WHOLE_RANGE_BELOW)
  })

  it('is labelled as what it is', () => {
    assert.equal(saySpread([3, 5]), 'the thin line is the range of all samples')
    assert.equal(saySpread([WHOLE_RANGE_BELOW - 1]), 'the thin line is the range of all samples')
    assert.equal(saySpread([WHOLE_RANGE_BELOW, 100]), 'nine of ten samples lie within the thin line')
    assert.equal(saySpread([5, 100]), 'nine of ten samples lie within the thin line, and all of them where they are fewer than 20')
  })
})
