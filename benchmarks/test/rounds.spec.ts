import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sum } from 'simple-statistics'
import { rawTimes } from '../src/harness/raw-times.ts'
import { runRounds } from '../src/harness/rounds.ts'
import type { Enough } from '../src/harness/rounds.ts'

/**
 * How many samples each takes in each round, of so many milliseconds each
 */
async function roundsOf (options: Enough, ...each: readonly number[]): Promise<number[][]> {
  const outcomes = await runRounds(each.map((ms, index) => ({
    key: String(index), onDisk: false, cid: null, round: async () => ({ ms, cid: null }), stop: async () => {}
  })), { options, progress: () => {}, signal: new AbortController().signal })

  return [...outcomes].sort().map(([, outcome]) => 'samples' in outcome ? rawTimes(outcome.samples).rounds : [])
}

/**
 * How many samples each has in the end
 */
async function samplesOf (options: Enough, ...each: readonly number[]): Promise<number[]> {
  return (await roundsOf(options, ...each)).map(rounds => sum(rounds))
}

describe('rounds', () => {
  it('go on until a row has its samples and its time', async () => {
    assert.deepEqual(await samplesOf({ iterations: 5, minTimeMs: 100 }, 1, 10, 100), [100, 10, 5])
  })

  it('are as many for whoever is quick, who takes more samples in each', async () => {
    assert.deepEqual(await roundsOf({ iterations: 5, minTimeMs: 100 }, 1, 7, 100), [[20, 20, 20, 20, 20], [3, 3, 3, 3, 3], [1, 1, 1, 1, 1]])
  })

  it('take one sample of each where no time has to be filled', async () => {
    assert.deepEqual(await roundsOf({ iterations: 3, minTimeMs: 0 }, 1, 100), [[1, 1, 1], [1, 1, 1]])
  })

  it('go on for more samples where they are wanted, as far as they come within a time', async () => {
    const options = { iterations: 5, minTimeMs: 100, further: { samples: 200, withinMs: 400 } }

    assert.deepEqual(await samplesOf(options, 1, 4, 10, 100), [200, 100, 40, 5])
  })
})
