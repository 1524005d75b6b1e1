import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { difference, ratio } from '../src/harness/target.ts'

const sampled = (...rawMs: number[]): { rawMs: number[] } => ({ rawMs })

describe('the value compared with a target', () => {
  it('uses shared rounds, by their medians', () => {
    const quick = sampled(20, 10, 90, 1, 1, 1, 1)

    assert.equal(ratio(sampled(30, 40, 50), quick), 2)
    assert.equal(ratio(quick, sampled(30, 40, 50)), 0.5)
    assert.equal(difference(sampled(30, 40, 50), quick), 20)
  })

  it('includes all samples of a shared round', () => {
    assert.equal(ratio(sampled(30, 40), { rawMs: [1, 9, 11, 90, 1, 1], rounds: [2, 2, 2] }), 3.5)
  })

  it('is absent if one side was not measured', () => {
    for (const compare of [ratio, difference]) {
      assert.equal(compare(sampled(1), sampled()), undefined)
      assert.equal(compare(undefined, sampled(1)), undefined)
      assert.equal(compare(sampled(), undefined), undefined)
    }
  })
})
