import { LimitExceededError } from '../../errors.ts'
import { keyFromText } from './key-text.ts'

/** A record, encoded, and the deletions that it tells of */
export interface FittingRecord {
  readonly bytes: Uint8Array
  /** Texts of keys */
  readonly told: readonly string[]
  /** Whether there are no more of them */
  readonly tellsAll: boolean
}

/** What a record has to keep to */
export interface RecordLimits {
  readonly maxBytes: number
  /** Of deletions, where there are so many: whoever writes records until all are told needs one in each to come to an end */
  readonly leastTold: 0 | 1
}

// deletions that one record may carry: 380 KiB
const maxRemoved = 10_000

/**
 * Encodes a record with as many deletions as it has room for; the next ones are to tell of the others.
 *
 * @param removed - keys of deleted blocks, as texts
 * @param limits - what it has to keep to
 * @param limits.maxBytes - of the record
 * @param limits.leastTold - how many deletions, where there are any
 * @param encode - makes a record that tells of these deletions, and is told whether they are all
 * @throws {LimitExceededError} where what else it has to say is larger already
 */
export function fitRecord (removed: ReadonlySet<string>, { maxBytes, leastTold }: RecordLimits, encode: (told: readonly Uint8Array[], tellsAll: boolean) => Uint8Array): FittingRecord {
  let told = firstOf(removed, maxRemoved)

  for (;;) {
    const tellsAll = told.length === removed.size
    const bytes = encode(told.map(keyFromText), tellsAll)

    if (bytes.byteLength <= maxBytes) {
      return { bytes, told, tellsAll }
    }

    if (told.length <= leastTold) {
      throw new LimitExceededError(`the named roots do not fit into ${maxBytes} bytes`)
    }

    told = told.slice(0, told.length / 2)
  }
}

/** The first of many items, which are not all copied for that. */
function firstOf <T> (items: Iterable<T>, count: number): T[] {
  const first: T[] = []

  for (const item of items) {
    if (first.push(item) === count) {
      break
    }
  }

  return first
}
