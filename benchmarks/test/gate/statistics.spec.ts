import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SeededRandom } from '../../src/corpora/keystream.ts'
import { holm } from '../../src/gate/multiple.ts'
import { proportion } from '../../src/gate/proportions.ts'
import { lowerLimit, signedRank } from '../../src/gate/signed-rank.ts'

const random = new SeededRandom('dagfs/gate/statistics')
const drawn = Array.from({ length: 200 }, () => Array.from({ length: 1 + random.below(9) }, () => (random.below(21) - 8) / 4))

describe('the signed-rank test of the gate', () => {
  it('matches the probabilities of the published table', () => {
    // Wilcoxon's: the sum 15 of 15 ranks of 5, and 50 of 55 of 10
    assert.equal(signedRank([1, 2, 3, 4, 5]).p, 1 / 32)
    assert.equal(signedRank([-1, 2, 3, -4, 5, 6, 7, 8, 9, 10]).p.toFixed(4), '0.0098')
  })

  it('matches an enumeration of all signs, including ties and zeros', () => {
    for (const differences of drawn) {
      assert.equal(signedRank(differences).p, slowP(differences), String(differences))
    }
  })

  it('estimates by the median of pairwise means, robust to an outlier', () => {
    assert.equal(signedRank([1, 2, 3, 4, 5]).estimate, 3)
    assert.ok(signedRank([1, 2, 3, 4, 5_000]).estimate <= 3.5)
  })

  it('has the last rejected mean as lower limit', () => {
    for (const differences of drawn) {
      const averages = differences.flatMap((value, index) => differences.slice(index).map(other => (value + other) / 2))
      const refused = averages.filter(average => slowP(differences.map(value => value - average)) <= 0.05)

      assert.equal(lowerLimit(differences, 0.05), Math.max(...refused), String(differences))
    }
  })
})

describe('adjustment for multiple tests', () => {
  it('follows Holm', () => {
    assert.deepEqual(holm([0.01, 0.04, 0.03]).map(p => p.toFixed(2)), ['0.03', '0.06', '0.06'])
    assert.deepEqual(holm([0.5, 0.9]), [1, 1])
  })
})

describe('interval of a proportion', () => {
  it('follows Clopper and Pearson', () => {
    const none = proportion(0, 200)
    const some = proportion(5, 100)

    assert.equal(none.from, 0)
    assert.equal(none.to.toFixed(4), '0.0183')
    assert.deepEqual([some.from.toFixed(4), some.to.toFixed(4)], ['0.0164', '0.1128'])
    assert.equal(proportion(3, 3).to, 1)
  })
})

/**
 * Every choice of signs, one after the other
 */
function slowP (differences: readonly number[]): number {
  const sizes = differences.map(Math.abs)
  const ranks = sizes.map(size => sizes.filter(other => other < size).length + (sizes.filter(other => other === size).length + 1) / 2)
  const sum = (isPositive: (index: number) => boolean): number => ranks.reduce((total, rank, index) => isPositive(index) ? total + rank : total, 0)
  const observed = sum(index => differences[index] > 0)
  const choices = 2 ** differences.length
  let atLeast = 0

  for (let choice = 0; choice < choices; choice++) {
    atLeast += sum(index => Math.floor(choice / 2 ** index) % 2 === 1) >= observed ? 1 : 0
  }

  return atLeast / choices
}
