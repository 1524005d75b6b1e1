import { ArgumentError } from '../../errors.ts'
import { shown } from '../../printable.ts'
import { checkInteger } from './arguments.ts'
import { constants } from './constants.ts'

/**
 * What a file is to be opened for.
 */
export interface OpenFlags {
  readonly read: boolean
  readonly write: boolean
  /** Every write goes to the end of the file, whatever the position */
  readonly append: boolean
  /** Make the file where there is none */
  readonly create: boolean
  /** Refuse a file or link that is there; counts together with `create` alone */
  readonly exclusive: boolean
  readonly truncate: boolean
  /** Store the file's blocks at each write */
  readonly sync: boolean
  /** Refuse what is no directory */
  readonly directory: boolean
  /** Refuse a symbolic link at the end of the path */
  readonly noFollow: boolean
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC, O_DSYNC, O_DIRECTORY, O_NOFOLLOW } = constants
const accessMask = 3

const named: ReadonlyMap<string, OpenFlags> = new Map(Object.entries({
  r: O_RDONLY,
  rs: O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC
}).flatMap(([name, bits]) => [name, name.replace(/^(.)([xs])/, '$2$1')].map(spelling => [spelling, parseBits(bits)])))

/**
 * Reads the flags of `open`, as Node does: a name such as `'r+'`, or bits of `constants`.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_VALUE, ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError} for a number that is no 32-bit integer
 */
export function readFlags (flags: unknown = 'r', argument = 'flags'): OpenFlags {
  if (typeof flags === 'number') {
    return parseBits(checkInteger(flags, argument, -(2 ** 31), 2 ** 31 - 1))
  }

  const known = named.get((flags ?? 'r') as string)

  if (known === undefined) {
    throw new ArgumentError('ERR_INVALID_ARG_VALUE', `The argument 'flags' is invalid. Received ${shown(flags)}`)
  }

  return known
}

function parseBits (bits: number): OpenFlags {
  const access = bits & accessMask
  const has = (flag: number): boolean => (bits & flag) === flag

  return {
    // both bits together open for neither, as on Linux
    read: access === O_RDONLY || access === O_RDWR,
    write: access === O_WRONLY || access === O_RDWR,
    append: has(O_APPEND),
    create: has(O_CREAT),
    exclusive: has(O_EXCL) && has(O_CREAT),
    truncate: has(O_TRUNC),
    sync: has(O_DSYNC),
    directory: has(O_DIRECTORY),
    noFollow: has(O_NOFOLLOW)
  }
}
