import { expect } from 'aegir/chai'
import { slowness } from '../slowness.ts'
import { bombs, defuse, fastestMs, maxBombMs } from './bombs.ts'

describe('blocks that claim more than they hold', () => {
  for (const bomb of bombs) {
    it(`refuses ${bomb.title} in less than ${maxBombMs} ms`, () => {
      const block = bomb.block()

      expect(defuse(bomb, block)).to.equal(bomb.error)
      expect(fastestMs(bomb, block)).to.be.below(maxBombMs * slowness())
    })
  }
})
