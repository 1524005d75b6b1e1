import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sum } from 'simple-statistics'
import { inTurn } from '../src/harness/in-turn.ts'
import { rawTimes } from '../src/harness/raw-times.ts'
import { roundsUntilInterrupted } from '../src/harness/rounds.ts'
import type { Enough, RoundsContext, Runner, TimedSample } from '../src/harness/rounds.ts'

function runner (key: string, take: () => number): Runner<TimedSample> {
  return { key, onDisk: false, cid: null, round: async () => ({ ms: take(), cid: null }), stop: async () => {} }
}

function contextOf (options: Enough): RoundsContext {
  return { options, progress: () => {}, signal: new AbortController().signal }
}

/**
 * How many samples each takes in each round, of so many milliseconds each
 */
async function roundsOf (options: Enough, ...each: readonly number[]): Promise<number[][]> {
  const outcomes = await roundsUntilInterrupted(each.map((ms, index) => runner(String(index), () => ms)), contextOf(options))

  return [...outcomes].sort().map(([, outcome]) => 'samples' in outcome ? rawTimes(outcome.samples).rounds : [])
}

/**
 * How many samples each has in the end
 */
async function samplesOf (options: Enough, ...each: readonly number[]): Promise<number[]> {
  return (await roundsOf(options, ...each)).map(rounds => sum(rounds))
}

describe('rounds', () => {
  it('continue until a row has its samples and time', async () => {
    assert.deepEqual(await samplesOf({ iterations: 5, minTimeMs: 100 }, 1, 10, 100), [100, 10, 5])
  })

  it('are equally many for fast rows, which take more samples in each', async () => {
    assert.deepEqual(await roundsOf({ iterations: 5, minTimeMs: 100 }, 1, 7, 100), [[20, 20, 20, 20, 20], [3, 3, 3, 3, 3], [1, 1, 1, 1, 1]])
  })

  it('take one sample each without a minimum time', async () => {
    assert.deepEqual(await roundsOf({ iterations: 3, minTimeMs: 0 }, 1, 100), [[1, 1, 1], [1, 1, 1]])
  })

  it('continue for additional samples within a time limit', async () => {
    const options = { iterations: 5, minTimeMs: 100, further: { samples: 200, withinMs: 400 } }

    assert.deepEqual(await samplesOf(options, 1, 4, 10, 100), [200, 100, 40, 5])
  })

  it('spread additional samples over as many rounds for all', async () => {
    const options = { iterations: 5, minTimeMs: 100, further: { samples: 200, withinMs: 400 } }

    // how long each takes is not known before the first round
    assert.deepEqual(await roundsOf(options, 1, 10, 100), [[1, 50, 50, 50, 49], [1, 10, 10, 10, 9], [1, 1, 1, 1, 1]])
    assert.deepEqual((await roundsOf(options, 1, 4)).map(rounds => [rounds.length, sum(rounds)]), [[100, 200], [100, 100]])
  })

  it('end for all rows at the same time, even after a slow sample', async () => {
    const slowOnce = [100, ...Array.from({ length: 20 }, () => 1)]
    const outcomes = await roundsUntilInterrupted([runner('a', () => slowOnce.shift() ?? 1), runner('b', () => 20)], contextOf({ iterations: 5, minTimeMs: 100 }))

    assert.deepEqual([...outcomes.values()].map(outcome => 'samples' in outcome ? rawTimes(outcome.samples).rounds.length : 0), [5, 5])
  })

  it('balance which row follows which', async () => {
    for (const keys of [['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd', 'e', 'f', 'g']]) {
      const rounds = keys.length * (1 + keys.length % 2)
      const orders = Array.from({ length: rounds }, (_, round) => inTurn(keys, round))
      const followers = orders.flatMap(order => order.slice(1).map((key, index) => `${order[index]}${key}`))
      const counts = Object.values(Object.groupBy(followers, pair => pair)).map(pairs => pairs?.length)

      assert.equal(counts.length, keys.length * (keys.length - 1))
      assert.equal(new Set(counts).size, 1, JSON.stringify(orders))
      assert.deepEqual(orders.map(order => [...order].sort()), orders.map(() => keys))
    }
  })

  it('use that order, except when each row depends on the previous one', async () => {
    const orderOf = async (keepsOrder: boolean): Promise<string> => {
      const order: string[] = []
      const noted = (key: string): Runner<TimedSample> => runner(key, () => { order.push(key); return 1 })

      await roundsUntilInterrupted(['a', 'b', 'c'].map(noted), { ...contextOf({ iterations: 2, minTimeMs: 0 }), keepsOrder })

      return order.join('')
    }

    assert.equal(await orderOf(false), 'acbbac')
    assert.equal(await orderOf(true), 'abcabc')
  })
})
