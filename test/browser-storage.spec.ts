import { expect } from 'aegir/chai'
import { persistStorage, storageEstimate } from '../src/index.ts'

describe('the storage of a browser', () => {
  it('returns an estimate, or reports that it is unsupported', async () => {
    const estimate = await storageEstimate()

    if (globalThis.navigator?.storage == null) {
      expect(estimate).to.deep.equal({ kind: 'unsupported' })
      return
    }

    const { usage = 0, quota = 0 } = await globalThis.navigator.storage.estimate()

    expect(estimate).to.deep.include({ kind: await globalThis.navigator.storage.persisted() ? 'persistent' : 'best-effort', quotaBytes: quota })
    // what other tests store meanwhile may move it
    expect('usageBytes' in estimate && estimate.usageBytes).to.be.within(0, Math.max(quota, usage))
  })

  it('requests persistence, and returns the resulting state', async () => {
    const answer = await persistStorage()

    expect(answer).to.equal((await storageEstimate()).kind)
  })
})
