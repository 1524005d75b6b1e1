import { collectGarbage } from '../collect-garbage.ts'
import { defuse } from './bombs.ts'
import type { Bomb } from './bombs.ts'

function usedBytes (): number {
  const { heapUsed, external } = process.memoryUsage()

  return heapUsed + external
}

/** The bytes that are allocated until a bomb is refused */
export function allocatedBytes (bomb: Bomb): number {
  const block = bomb.block()
  // what is counted next is what was allocated since
  collectGarbage()
  const before = usedBytes()
  defuse(bomb, block)

  return usedBytes() - before
}
