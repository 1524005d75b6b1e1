import { isFollowedRelease } from '../beside-node-release.ts'
import { seed } from '../seed.ts'
import { parts } from './parts.ts'
import { runCase } from './run-case.ts'

describe('torture, at a small size:', function () {
  this.timeout(300_000)

  for (const [name, { claim, isBesideNode = false, daily, open }] of Object.entries(parts)) {
    const run = isBesideNode && !isFollowedRelease ? it.skip : it

    run(claim, async () => {
      const cases = await open()

      try {
        for (let number = 0, units = 0; units < daily; number++) {
          units += (await runCase(name, cases, seed, number)).units
        }
      } finally {
        await cases.close()
      }
    })
  }
})
