import { expect } from 'aegir/chai'
import { startsRun } from '../../src/directory/boundary.ts'
import { vectors } from './notation.ts'

describe('vectors of boundaries', () => {
  for (const { level, runBytes, lastItemBytes, nextName, startsRun: starts } of vectors.boundaries) {
    it(`${starts ? 'starts a run' : 'continues a run'} at level ${level} after ${runBytes} bytes, ${lastItemBytes} of them the last item, before ${[...nextName].slice(0, 12).join('')}`, () => {
      expect(startsRun(level, runBytes, lastItemBytes, nextName)).to.equal(starts)
    })
  }
})
