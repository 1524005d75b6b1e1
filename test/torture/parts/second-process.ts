import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { killChild, startChild, until } from '../../pack/publishing-child.ts'
import { withStore } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

const maxMs = 1_000

export const secondProcess: Part = {
  claim: 'a second writing process gets a StoreLockedError, and a killed one frees the lock at once',
  unit: 'processes',
  full: 200,
  daily: 1,
  open: independent(async ({ next }) => inTemporary(async directory => {
    const running = startChild(directory, 0)

    try {
      await until(() => running.said() > 0)

      for (let tries = 1 + below(next, 5); tries > 0; tries--) {
        await expect(new PackBlockstore(directory).open()).to.eventually.be.rejected.with.property('name', 'StoreLockedError')
      }
    } finally {
      await killChild(running)
    }

    const start = performance.now()

    return withStore(directory, {}, async store => {
      const ms = performance.now() - start
      expect(ms).to.be.below(maxMs)
      expect((await store.verify()).problems).to.deep.equal([])

      return { worst: { 'taking over, ms': ms } }
    })
  }))
}
