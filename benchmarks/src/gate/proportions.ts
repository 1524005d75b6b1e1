/**
 * How often something happened, and the shares that may be behind it: Clopper
 * and Pearson's interval, with a confidence of at least 95 %
 */
export interface Proportion {
  readonly count: number
  readonly of: number
  readonly from: number
  readonly to: number
}

const OUTSIDE = 0.05
const HALVINGS = 60

export function proportion (count: number, of: number): Proportion {
  return {
    count,
    of,
    // the share under which so many, or more, would be too unlikely
    from: count === 0 ? 0 : shareWhere(share => 1 - upTo(count - 1, of, share) >= OUTSIDE / 2),
    to: count === of ? 1 : shareWhere(share => upTo(count, of, share) <= OUTSIDE / 2)
  }
}

/**
 * Finds the smallest share from which on something holds.
 */
function shareWhere (holds: (share: number) => boolean): number {
  let low = 0
  let high = 1

  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2

    if (holds(middle)) {
      high = middle
    } else {
      low = middle
    }
  }

  return high
}

/**
 * The chance of at most `count` of `of`, where each has the chance `share`.
 */
function upTo (count: number, of: number, share: number): number {
  let chance = 0
  let logWays = 0

  for (let number = 0; number <= count; number++) {
    chance += Math.exp(logWays + number * Math.log(share) + (of - number) * Math.log1p(-share))
    logWays += Math.log(of - number) - Math.log(number + 1)
  }

  return chance
}
