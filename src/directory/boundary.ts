import { maxNameBytes } from '../path.ts'
import { murmur3 } from './murmur.ts'

const encoder = new TextEncoder()
// for one name after the other: to make bytes for each takes five times as long
const page = new Uint8Array(maxNameBytes)

const minRunBytes = 4_096
const maxRunBytes = 131_072

/**
 * Whether a new run starts before the next item of a level. It is decided by the bytes of the run so far, those of its
 * last item, and the next item's name alone, so a run's end depends on nothing that lies behind it.
 *
 * The chance grows with the bytes since the last boundary, such that runs of any mix of item sizes come out at about 30
 * KiB and a few of them only are much larger. A change that keeps an item's size moves no boundary. Integers alone, all
 * below 2^37, so that every engine agrees. FORMAT.md has the rule, decision 36 its reasons.
 */
export function startsRun (level: number, runBytes: number, lastItemBytes: number, nextName: string): boolean {
  if (runBytes < minRunBytes) {
    return false
  }

  return runBytes >= maxRunBytes ||
    murmur3(nameBytes(nextName), level) < 4 * lastItemBytes * (2 * runBytes - lastItemBytes)
}

/** The UTF-8 of a name, until the next is asked for. */
function nameBytes (name: string): Uint8Array {
  return page.subarray(0, encoder.encodeInto(name, page).written)
}
