import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SeededRandom } from '../src/corpora/keystream.ts'
import { measureSubjects } from '../src/harness/measure-subjects.ts'
import { ratioInterval } from '../src/harness/ratio-interval.ts'
import type { SubjectFunctions } from '../src/harness/measure-subjects.ts'
import type { TimedSample } from '../src/harness/rounds.ts'

const ROUNDS = 40

/**
 * Samples around a median, up to 10 % away from it
 */
function samples (median: number, seed: string): number[] {
  const random = new SeededRandom(seed)

  return Array.from({ length: ROUNDS }, () => median * (0.9 + random.below(2_001) / 10_000))
}

describe('the interval of a ratio', () => {
  const row = (rawMs: number[]): { rawMs: number[] } => ({ rawMs })

  it('includes the true ratio', () => {
    const { low, high, rounds } = ratioInterval(row(samples(120, 'a')), row(samples(100, 'b')))

    assert.ok(low < 1.2 && high > 1.2)
    assert.ok(low > 1, 'what is 20 % slower is shown to be slower')
    assert.equal(rounds, ROUNDS)
  })

  it('includes 1 for equal subjects in the stated share of runs', () => {
    const wrong = Array.from({ length: 100 }, (_, run) => ratioInterval(row(samples(100, `c${run}`)), row(samples(100, `d${run}`)))).filter(({ low, high }) => low > 1 || high < 1)

    assert.ok(wrong.length <= 12, `${wrong.length} of 100`)
  })

  it('is equal for equal samples', () => {
    assert.deepEqual(ratioInterval(row(samples(120, 'a')), row(samples(100, 'b'))), ratioInterval(row(samples(120, 'a')), row(samples(100, 'b'))))
  })

  it('resamples rounds as a whole, however many samples they have', () => {
    const slow = Array.from({ length: ROUNDS }, (_, round) => Math.floor(round / 4) % 2 === 0 ? 1 : 3)
    const some = { rawMs: samples(120, 'a').map((value, index) => value * slow[index]), rounds: new Array<number>(ROUNDS / 4).fill(4) }
    const others = { rawMs: samples(100, 'b').filter((_, index) => index % 2 === 0).map((value, index) => value * slow[index * 2]), rounds: new Array<number>(ROUNDS / 4).fill(2) }
    const { low, high, rounds } = ratioInterval(some, others)

    assert.equal(rounds, ROUNDS / 4)
    assert.ok(low > 1 && high < 1.5)
  })

  it('is not widened by whole slow rounds', () => {
    const slow = Array.from({ length: ROUNDS }, (_, round) => round % 2 === 0 ? 1 : 3)
    const slowed = (values: number[]): number[] => values.map((value, round) => value * slow[round])
    const { low, high } = ratioInterval(row(slowed(samples(120, 'a'))), row(slowed(samples(100, 'b'))))

    assert.ok(low > 1 && high < 1.5)
  })
})

describe('measured subjects', () => {
  type Functions = SubjectFunctions<string, { cid: string }, TimedSample>

  function working (cid: string): Functions {
    return {
      open: async () => ({ version: cid, options: {} }),
      check: async () => ({ cid }),
      round: async () => ({ ms: 1, cid }),
      peakMemory: async () => 1
    }
  }

  async function measure (odd: Partial<Functions>): Promise<{ failure: unknown, samples: number, stopped: string[] }> {
    const stopped: string[] = []
    const outcomes = await measureSubjects([{ key: 'odd', flushedBy: 'nobody' }, { key: 'good', flushedBy: 'nobody' }], {
      options: { iterations: 3, minTimeMs: 0 },
      progress: () => {},
      signal: new AbortController().signal,
      start: ({ key }) => ({ functions: { ...working(key), ...key === 'odd' ? odd : {} }, stop: async () => { stopped.push(key) } }),
      init: ({ key }) => key
    })
    const [failed, good] = [outcomes.get('odd'), outcomes.get('good')]

    assert.ok(failed != null && 'failure' in failed)
    assert.ok(good != null && 'samples' in good)

    return { failure: failed.failure, samples: good.samples.length, stopped }
  }

  for (const [when, odd] of [
    ['when it is opened', { open: async () => { throw new Error('worn out') } }],
    ['when it is checked', { check: async () => { throw new Error('worn out') } }],
    ['in a round', { round: async () => { throw new Error('worn out') } }],
    ['when it is asked for its memory', { peakMemory: async () => { throw new Error('worn out') } }]
  ] satisfies Array<[string, Partial<Functions>]>) {
    it(`keep their failure ${when}, and the others continue`, async () => {
      const { failure, samples, stopped } = await measure(odd)

      assert.match(String(failure), /worn out/)
      assert.equal(samples, 3)
      assert.deepEqual([...new Set(stopped)].sort(), ['good', 'odd'])
    })
  }
})
