import { expect } from 'aegir/chai'
import { allocatedBytes } from '../../codec/bomb-memory.ts'
import { bombs as all, defuse, fastestMs, maxBombBytes, maxBombMs } from '../../codec/bombs.ts'
import { slowness } from '../../slowness.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

export const bombs: Part = {
  claim: 'a block that claims more than it holds is refused within 10 ms and 16 MiB',
  unit: 'bombs',
  full: all.length,
  daily: 6,
  open: independent(async ({ number }) => {
    const bomb = all[number % all.length]
    const block = bomb.block()
    expect(defuse(bomb, block), bomb.title).to.equal(bomb.error)
    const [ms, bytes] = [fastestMs(bomb, block), allocatedBytes(bomb)]
    expect(ms, bomb.title).to.be.below(maxBombMs * slowness())
    expect(bytes, bomb.title).to.be.below(maxBombBytes)

    return { worst: { 'one refusal, ms': ms, 'memory for it, bytes': bytes } }
  })
}
