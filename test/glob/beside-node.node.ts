import { posix } from 'node:path'
import { expect } from 'aegir/chai'
import { compileGlob } from '../../src/glob/index.ts'
import { describeBesideNode } from '../beside-node-release.ts'
import { random, seed } from '../seed.ts'
import { paths, randomPattern } from './patterns.ts'

/** What Node's minimatch answers otherwise, and why */
const differences: ReadonlyArray<readonly [pattern: string, path: string, why: string]> = [
  ['!(a)@()', 'b', 'an empty group beside another one gets into the regular expression as it is'],
  ['**/a/**/.b', 'a/.b', 'a dot in what is behind the last of two `**` is taken for one that they would match']
]

describeBesideNode('patterns compared to minimatch', () => {
  it('match the same as in Node.js', () => {
    const next = random(seed)

    for (let i = 0; i < 5_000; i++) {
      const pattern = randomPattern(next, 4 + i % 7)
      const test = compileGlob(pattern, { option: 'patterns' })

      for (const path of paths) {
        const expected = byNode(path, pattern)

        if (expected !== undefined && expected !== test(path) && !isDifferent(pattern)) {
          expect.fail(`${JSON.stringify(pattern)} on ${JSON.stringify(path)}: Node says ${expected}`)
        }
      }
    }
  })

  differences.forEach(([pattern, path, why]) => {
    it(`differ for ${pattern}: in Node ${why}`, () => {
      expect(compileGlob(pattern, { option: 'patterns' })(path)).to.not.equal(byNode(path, pattern) ?? false)
    })
  })

  it('match only the last name if asked to', () => {
    const test = compileGlob('*.log', { option: 'ignore', matchBase: true })

    expect(['a.log', 'b/c/a.log', 'b/a.log/c', '.log'].map(test)).to.deep.equal([true, true, false, false])
  })

  it('match dotfiles if asked to', () => {
    const test = compileGlob('**/*', { option: 'ignore', dot: true })

    expect(['.a', 'b/.c/d', '..'].map(test)).to.deep.equal([true, true, false])
  })
})

/** Undefined where Node throws: it makes regular expressions of some patterns that are none. */
function byNode (path: string, pattern: string): boolean | undefined {
  try {
    return posix.matchesGlob(path, pattern)
  } catch (err) {
    if (err instanceof SyntaxError) {
      return
    }

    throw err
  }
}

/** Whether a pattern is of a kind in the table. */
function isDifferent (pattern: string): boolean {
  return pattern.includes('()') || /\*\*\/.*\*\*\/\.[^/]*$/.test(pattern)
}
