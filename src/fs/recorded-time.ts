import { InvalidOptionError } from '../errors.ts'
import { toTime } from './node-api/arguments.ts'
import type { Time } from '../codec/index.ts'

/**
 * Reads a time that is recorded for good. Numbers, and texts of them, are refused: they could be seconds, as `utimes` takes
 * them, or milliseconds, as `Date.now()` gives them.
 *
 * @throws {InvalidOptionError} for what is neither a Date nor a list
 * @throws {ArgumentError} as `toTime`
 */
export function recordedTime (option: string, time: Date | Time): Time {
  if (typeof time !== 'object') {
    throw new InvalidOptionError(option, `got a ${typeof time}; pass new Date(…) or [seconds, nanoseconds]`)
  }

  return toTime(time, option)
}
