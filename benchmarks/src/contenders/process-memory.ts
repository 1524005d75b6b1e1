import { readFileSync } from 'node:fs'
import type { PeakMemory } from './contender.ts'

/**
 * Reads the most memory that another process held, while it is alive.
 */
export function peakMemoryOf (pid: number): PeakMemory {
  if (process.platform !== 'linux') {
    return { unknown: `the peak memory of another process is read from /proc, which ${process.platform} lacks` }
  }

  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

    // a process that has just ended has no memory left to tell of
    return kibibytes == null ? { unknown: `process ${pid} had ended` } : { bytes: Number(kibibytes) * 1024 }
  } catch (err) {
    if (err instanceof Error && 'code' in err && (err.code === 'ENOENT' || err.code === 'ESRCH')) {
      return { unknown: `process ${pid} had ended` }
    }

    throw err
  }
}

/**
 * Returns the larger one, and a known one rather than an unknown one.
 */
export function largerMemory (a: PeakMemory, b: PeakMemory): PeakMemory {
  if ('unknown' in a) {
    return b
  }

  if ('unknown' in b) {
    return a
  }

  return a.bytes > b.bytes ? a : b
}
