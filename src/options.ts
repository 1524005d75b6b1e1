import { InvalidOptionError } from './errors.ts'

/**
 * Options of every operation that may take long.
 */
export interface AbortOptions {
  /** Abort the operation: it rejects as soon as it can, with an `AbortError` whose `cause` is the signal's reason */
  readonly signal?: AbortSignal
}

/**
 * Options of putting a block.
 */
export interface PutOptions extends AbortOptions {
  /**
   * Whether the bytes are known to be those that the CID names, and nobody can change them before the put resolves: a
   * store that compares the two, as the pack store does, then need not. False by default
   */
  readonly verified?: boolean
}

/**
 * Refuses options that the callee does not know: a misspelt option that is ignored is a wrong result. Those that are
 * `internal` are taken as well, and users are not told of them.
 *
 * @throws {InvalidOptionError} naming the first unknown option, or where they are no object
 */
export function checkOptions (options: object, known: readonly string[], internal: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError('options', 'must be an object')
  }

  for (const option of Object.keys(options)) {
    if (!known.includes(option) && !internal.includes(option)) {
      throw new InvalidOptionError(option, `is unknown, expected one of ${known.join(', ')}`)
    }
  }
}

/**
 * Reads a count or size among the options.
 *
 * @throws {InvalidOptionError} where it is not a safe integer from `minimum` to `maximum`
 */
export function integerOption <T extends number | undefined> (option: string, value: T, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): T {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < minimum || value > maximum)) {
    throw new InvalidOptionError(option, `must be an integer from ${minimum} to ${maximum}, got ${String(value)}`)
  }

  return value
}

/**
 * Reads a path of the host among the options. `expected` says what it has to be. The empty string is none: an unset variable would
 * stand for the working directory. Nor is ill-formed text, for which the system would take another name.
 *
 * @throws {InvalidOptionError} where it cannot be a path
 */
export function pathOption (option: string, value: unknown, expected: string): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0') || !value.isWellFormed()) {
    throw new InvalidOptionError(option, expected)
  }

  return value
}
