import { expect } from 'aegir/chai'
import { bomb } from '../fs/bomb.ts'
import type { ReadonlyDagFs } from '../../src/index.ts'

/** Directories whose blocks were read already are gone through without asking the store. */
describe('directory/turns', () => {
  it('aborts a walk by its signal', async () => {
    const fs = await bomb(16)
    const controller = new AbortController()
    let found = 0

    const walking = (async () => {
      for await (const { path } of fs.walk('/', { signal: controller.signal })) {
        expect(path).to.be.a('string')
        found++

        if (found === 100) {
          controller.abort(new Error('enough'))
        }
      }
    })()

    await expect(walking).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(found).to.be.below(10_000)
  })

  for (const [name, read] of Object.entries({
    walk: async (fs: ReadonlyDagFs): Promise<void> => { for await (const { path } of fs.walk()) { expect(path).to.not.equal('') } },
    readdir: async (fs: ReadonlyDagFs): Promise<void> => { await fs.readdir('/', { recursive: true }) }
  })) {
    it(`yields to the event loop in ${name}`, async () => {
      const fs = await bomb(14)
      let turns = 0
      const timer = setInterval(() => { turns++ }, 1)

      try {
        await read(fs)
      } finally {
        clearInterval(timer)
      }

      expect(turns).to.be.above(0)
    })
  }
})
