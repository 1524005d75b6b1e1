/**
 * Orders those of one round, as rows of a Williams design do: each comes first as often as others do, and follows every other one as
 * often, over as many rounds as there are of them, or twice as many where their number is odd. What one leaves to the
 * next, such as a warm cache or unfinished work, so falls on all of them.
 */
export function inTurn <T> (all: readonly T[], round: number): T[] {
  const count = all.length
  // 0, last, 1, last but one, …: each step is of another length
  const zigzag = all.map((_, index) => index % 2 === 0 ? index / 2 : count - (index + 1) / 2)
  const ordered = zigzag.map(place => all[(place + round) % count])

  return count % 2 === 1 && Math.floor(round / count) % 2 === 1 ? ordered.reverse() : ordered
}
