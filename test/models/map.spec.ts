import fc from 'fast-check'
import { parameters } from '../codec/runs.ts'
import { agreement, replay } from './agree.ts'
import { plainCalls } from './arbitraries.ts'
import { plainFailures } from './failures.ts'
import { mapAgainstDagfs, settings } from './pairs.ts'

describe('fs compared to a plain map', () => {
  for (const { why, operations } of plainFailures) {
    it(`no longer fails where ${why}`, async () => {
      await replay(async () => mapAgainstDagfs(1), operations)
    })
  }

  for (const [name, draftBytes, layout] of settings) {
    it(`has the same results, and the root of a fresh import: with ${name}`, async () => {
      await fc.assert(agreement(async () => mapAgainstDagfs(draftBytes, layout), plainCalls), parameters(50))
    })
  }
})
