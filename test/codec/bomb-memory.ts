import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defuse } from './bombs.ts'
import type { Bomb } from './bombs.ts'

// the heap is counted right after a collection, so that what is counted next is what was allocated since
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function usedBytes (): number {
  const { heapUsed, external } = process.memoryUsage()

  return heapUsed + external
}

/** The bytes that are allocated until a bomb is refused */
export function allocatedBytes (bomb: Bomb): number {
  const block = bomb.block()
  collectGarbage()
  const before = usedBytes()
  defuse(bomb, block)

  return usedBytes() - before
}
