import type { TimedSample } from './rounds.ts'

/**
 * What was timed, in the order in which it was
 */
export interface RawTimes {
  readonly rawMs: readonly number[]
  /**
   * How many of them each round took; one where nothing is said
   */
  readonly rounds?: readonly number[]
}

/**
 * What a row says of its samples.
 */
export function rawTimes (samples: readonly TimedSample[]): { samples: number, rawMs: number[], rounds: number[] } {
  const rounds: number[] = []

  for (const [index, { round = index }] of samples.entries()) {
    rounds[round] = (rounds[round] ?? 0) + 1
  }

  return { samples: samples.length, rawMs: samples.map(({ ms }) => ms), rounds }
}

/**
 * The times of each round that two rows were both in. One that has enough is in no
 * later one, which would find the other compiled, and with nobody between its samples.
 */
export function sharedRounds (a: RawTimes, b: RawTimes): ReadonlyArray<readonly [readonly number[], readonly number[]]> {
  const [some, others] = [byRound(a), byRound(b)]

  return some.slice(0, others.length).map((times, round) => [times, others[round]])
}

function byRound ({ rawMs, rounds = rawMs.map(() => 1) }: RawTimes): number[][] {
  let end = 0

  return rounds.map(count => {
    end += count

    return rawMs.slice(end - count, end)
  })
}
