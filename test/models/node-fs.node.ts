import fc from 'fast-check'
import { describeBesideNode } from '../beside-node-release.ts'
import { parameters } from '../codec/runs.ts'
import { agreement, replay } from './agree.ts'
import { allCalls, plainCalls } from './arbitraries.ts'
import { failures, plainFailures } from './failures.ts'
import { dagfsAgainstNode, mapAgainstNode } from './node-pairs.ts'

const often = 60

describeBesideNode('fs compared to node:fs/promises', () => {
  for (const { why, operations } of [...plainFailures, ...failures]) {
    it(`no longer fails where ${why}`, async () => {
      await replay(async () => dagfsAgainstNode(1), operations)
    })
  }

  for (const [name, draftBytes] of [['a draft that holds everything', undefined], ['a draft that is stored at every edit', 1]] as const) {
    it(`has the same results, errors and root of a fresh import: with ${name}`, async () => {
      const property = agreement(async () => dagfsAgainstNode(draftBytes), allCalls)
      await fc.assert(property, parameters(often))
    })
  }

  it('is compared to a plain map with the same results', async () => {
    await fc.assert(agreement(mapAgainstNode, plainCalls), parameters(often))
  })
})
