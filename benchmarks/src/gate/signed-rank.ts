import { median } from 'simple-statistics'

/**
 * What pairs say of a difference: Wilcoxon's signed-rank test and the estimate
 * that goes with it, which no outlier moves far
 */
export interface SignedRank {
  /**
   * Hodges and Lehmann's: the median of the means of all two differences
   */
  readonly estimate: number
  /**
   * How likely differences are that speak as loudly for an increase as these, or
   * more, where there is none: exact, whatever their distribution, as long as it is
   * symmetric
   */
  readonly p: number
}

/**
 * Tests whether differences are positive on the whole.
 */
export function signedRank (differences: readonly number[]): SignedRank {
  const ranks = doubledRanks(differences.map(Math.abs))
  // no difference at all speaks against an increase
  const observed = ranks.reduce((sum, rank, index) => differences[index] > 0 ? sum + rank : sum, 0)
  const ways = waysToSum(ranks)
  const atLeast = ways.reduce((sum, count, total) => total >= observed ? sum + count : sum, 0)

  return { estimate: median(walshAverages(differences)), p: atLeast / 2 ** differences.length }
}

/**
 * Returns what the differences are at least, with a confidence of 1 - p;
 * minus infinity where there are too few of them to say anything with it.
 */
export function lowerLimit (differences: readonly number[], p: number): number {
  const averages = walshAverages(differences).sort((a, b) => a - b)
  let refused = 0
  let left = averages.length

  // the less is supposed, the less likely it is; what is supposed changes the test at averages only
  while (refused < left) {
    const middle = Math.floor((refused + left) / 2)
    const supposed = averages[middle]

    if (signedRank(differences.map(difference => difference - supposed)).p <= p) {
      refused = middle + 1
    } else {
      left = middle
    }
  }

  return refused === 0 ? -Infinity : averages[refused - 1]
}

/**
 * Ranks from the smallest on, times two so that ties have whole ones
 */
function doubledRanks (values: readonly number[]): number[] {
  return values.map(value => values.reduce((rank, other) => rank + (other < value ? 2 : 0) + (other === value ? 1 : 0), 1))
}

/**
 * How many subsets of the ranks have each sum.
 */
function waysToSum (ranks: readonly number[]): number[] {
  let ways = [1]

  for (const rank of ranks) {
    const next = [...ways, ...new Array<number>(rank).fill(0)]

    ways.forEach((count, sum) => { next[sum + rank] += count })
    ways = next
  }

  return ways
}

function walshAverages (values: readonly number[]): number[] {
  return values.flatMap((value, index) => values.slice(index).map(other => (value + other) / 2))
}
