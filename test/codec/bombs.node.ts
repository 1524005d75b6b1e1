import { expect } from 'aegir/chai'
import { allocatedBytes } from './bomb-memory.ts'
import { bombs, maxBombBytes } from './bombs.ts'

describe('memory for blocks that claim more than they hold', () => {
  for (const bomb of bombs) {
    it(`refuses ${bomb.title} in less than ${maxBombBytes} bytes`, () => {
      expect(allocatedBytes(bomb)).to.be.below(maxBombBytes)
    })
  }
})
