import { once } from 'node:events'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'

describe('fs/watch, without a consumer', () => {
  it('warns once that it drops events', async () => {
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const watcher = fs.watch('/', { maxQueue: 1 })
    const first = watcher.next()
    await new Promise(resolve => setTimeout(resolve, 1))
    const warnings: Error[] = []
    const warned = (warning: Error): void => { warnings.push(warning) }
    process.on('warning', warned)

    try {
      const warning = once(process, 'warning')
      await fs.writeFile('/a', '')
      await first
      await Promise.all(['b', 'c', 'd', 'e'].map(async name => fs.writeFile(`/${name}`, '')))
      const [told] = await warning
      await new Promise(resolve => setTimeout(resolve, 5))

      expect(told).to.include({ name: 'DagfsWarning', code: 'DAGFS_WATCH_OVERFLOW' })
      expect(warnings).to.have.lengthOf(1)
      expect((await watcher.next()).value?.filename).to.equal('b')
    } finally {
      process.off('warning', warned)
      await watcher.return(undefined)
    }
  })
})
