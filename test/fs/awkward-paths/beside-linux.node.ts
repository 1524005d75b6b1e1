import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { firstCells } from '../../architecture/markdown.ts'
import { readText } from '../../architecture/sources.ts'
import { describeBesideNode } from '../../beside-node-release.ts'
import { runs } from '../../codec/runs.ts'
import { seed } from '../../seed.ts'
import { disagreement } from './agreement.ts'
import { call } from './calls.ts'
import { differences } from './differences.ts'
import type { Tally } from './agreement.ts'
import type { Call } from './calls.ts'

const enough = 20_000

/** Sequences that ended differently once. */
const failures: ReadonlyArray<readonly [why: string, calls: readonly Call[]]> = [
  ['a link whose target ends with a slash was written through', [
    { step: 'symlink', paths: ['b/', 'a'] },
    { step: 'writeFile', paths: ['a'] },
    { step: 'mkdir', paths: ['b'] },
    { step: 'writeFile', paths: ['a'] },
    { step: 'copyFile', paths: ['a', 'a'] }
  ]],
  ['a directory was to be made and opened', [
    { step: 'open', paths: ['a'], option: 17 },
    { step: 'mkdir', paths: ['a'] },
    { step: 'open', paths: ['a'], option: 18 }
  ]],
  ['a name of 256 bytes was below a missing path', [
    { step: 'rm force', paths: [`a/${'n'.repeat(256)}`] },
    { step: 'rm recursive', paths: [`a/${'n'.repeat(256)}`] },
    { step: 'rename', paths: ['n'.repeat(256), 'a/b'] }
  ]],
  ['an error named the path without its last slash', [
    { step: 'mkdir', paths: ['a/b/'] },
    { step: 'rmdir', paths: ['a//'] },
    { step: 'writeFile', paths: ['a/b/'] }
  ]],
  ['the first of several errors was not that of Linux', [
    { step: 'writeFile', paths: ['a'] },
    { step: 'rename', paths: ['a/', 'c/b'] },
    { step: 'rename', paths: ['a/', 'a/.'] },
    { step: 'copyFile exclusive', paths: ['.', './'] },
    { step: 'copyFile', paths: ['a', 'a/'] }
  ]],
  ['a directory was to be made below one that did not exist, and ..', [
    { step: 'mkdir recursive', paths: ['a/../a'] },
    { step: 'writeFile', paths: ['a/b'] },
    { step: 'mkdir recursive', paths: ['c/../a/b/'] }
  ]],
  ['something stood where cp had found nothing yet', [
    { step: 'symlink', paths: ['.', 'c'] },
    { step: 'symlink', paths: ['a', 'a'] },
    { step: 'cp', paths: ['a', 'b/../c'] },
    { step: 'mkdir', paths: ['d'] },
    { step: 'cp', paths: ['d', 'e/../c'] },
    { step: 'writeFile', paths: ['f'] },
    { step: 'cp', paths: ['f', 'g/../d'] },
    { step: 'writeFile', paths: ['h'] },
    { step: 'cp', paths: ['f', 'i/../h'] }
  ]],
  ['rm went through a link in what it removed', [
    { step: 'mkdir recursive', paths: ['a'] },
    { step: 'symlink', paths: ['..', 'a/c'] },
    { step: 'rm recursive', paths: ['a/c/a'] }
  ]],
  ['cp put something where no name is', [
    { step: 'mkdir', paths: ['a'] },
    { step: 'cp recursive', paths: ['a', 'b/.'] },
    { step: 'writeFile', paths: ['c'] },
    { step: 'cp', paths: ['c', 'b/c/'] },
    { step: 'symlink', paths: ['nowhere', 'a/link'] },
    { step: 'cp recursive', paths: ['a', 'a/link/'] },
    { step: 'symlink', paths: ['no/where', 'a/far'] },
    { step: 'cp recursive', paths: ['a/far', 'a/far/'] },
    { step: 'cp recursive', paths: ['b', 'a/link//'] },
    { step: 'cp recursive', paths: ['a/link', 'a/link/'] }
  ]]
]

describeBesideNode('paths on Linux, compared to Node.js', function () {
  this.timeout(300_000)

  for (const [why, calls] of failures) {
    it(`behave alike where ${why}`, async () => {
      expect(await disagreement(calls, { calls: 0, succeeded: 0, met: new Map() })).to.equal(undefined)
    })
  }

  it('behave alike in random calls, except for listed differences', async () => {
    const tally: Tally = { calls: 0, succeeded: 0, met: new Map() }
    const property = fc.asyncProperty(fc.array(call, { maxLength: 80, size: 'max' }), async calls => {
      const differing = await disagreement(calls, tally)

      // whole, where an assertion would cut it
      if (differing !== undefined) {
        throw new Error(differing)
      }
    })

    for (let round = 0; tally.calls < runs(enough); round++) {
      await fc.assert(property, { seed: (seed + round * 7_919) | 0, numRuns: 20 })
    }

    expect(tally.succeeded).to.be.above(tally.calls / 10)
    expect(tally.met.size).to.be.above(0)
  })

  it('differ as docs/filesystem.md says', () => {
    const [, section] = readText('docs/filesystem.md').split('### Paths that Node.js treats otherwise\n')

    expect(firstCells(section.split(/^##/m)[0])).to.deep.equal(differences.map(({ title }) => title))
  })
})
