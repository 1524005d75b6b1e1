import { ownPeakMemory } from '../contenders/own-memory.ts'
import { peakMemoryOf } from '../contenders/process-memory.ts'

/**
 * The most memory that this process ever held, in bytes.
 */
export async function peakBytes (): Promise<number> {
  // on Linux, what a process asks of its own usage begins with what its parent
  // held when it started it
  const known = [peakMemoryOf(process.pid), await ownPeakMemory()].find(memory => 'bytes' in memory)

  if (known == null) {
    throw new Error('the peak memory of this process is unknown')
  }

  return known.bytes
}
