import type { PeakMemory } from './contender.ts'

/**
 * For a contender that works in the process that asks
 */
export async function ownPeakMemory (): Promise<PeakMemory> {
  // the unit is the kibibyte on every platform
  return { bytes: process.resourceUsage().maxRSS * 1024 }
}
