import { ArgumentError, FileSystemError, OutOfRangeError } from '../../errors.ts'
import { shown } from '../../printable.ts'
import { isEncoding } from './encoding.ts'
import type { Encoding } from './encoding.ts'
import type { Time } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'

/** How a path may be given: relative paths are taken from `/`, URLs are `file:` URLs, bytes are UTF-8. */
export type PathLike = string | URL | Uint8Array

/** How a time may be given: a Date, seconds since 1970 as a number or its text, or seconds and nanoseconds. */
export type TimeLike = Date | number | string | Time

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The path that an argument stands for, as Node reads it.
 *
 * @throws {ArgumentError} for what is no path, holds a NUL, or is a URL without a path of ours
 * @throws {FileSystemError} EINVAL for bytes that are not UTF-8
 */
export function toPath (path: PathLike, syscall: string, argument = 'path'): string {
  const given: unknown = isUrl(path) ? urlPath(path) : path

  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    throw wrongType(argument, 'of type string or an instance of Buffer or URL', given)
  }

  if (typeof given === 'string' ? given.includes('\0') : given.includes(0)) {
    throw wrongValue(argument, given, 'must be a string, Uint8Array, or URL without null bytes')
  }

  return typeof given === 'string' ? given : decodePath(given, syscall)
}

function decodePath (bytes: Uint8Array, syscall: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new FileSystemError('EINVAL', syscall, new TextDecoder().decode(bytes), 'a path must be UTF-8')
  }
}

// of another realm, or another implementation: as Node tells them
function isUrl (value: unknown): value is URL {
  return typeof value === 'object' && value !== null && 'href' in value && 'protocol' in value && !('auth' in value) && !('path' in value)
}

function urlPath ({ protocol, hostname, pathname }: URL): string {
  if (protocol !== 'file:') {
    throw new ArgumentError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file')
  }

  if (hostname !== '') {
    throw new ArgumentError('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty')
  }

  if (/%2f/i.test(pathname)) {
    throw new ArgumentError('ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters')
  }

  return decodeURIComponent(pathname)
}

/** Where text is to be returned, in which encoding; undefined and `'buffer'` are bytes or the call's default. */
export interface EncodingOptions extends AbortOptions {
  readonly encoding?: Encoding | 'buffer' | null
}

/** Options that were read: an encoding that is null, or falsy otherwise, is none. */
type WithoutNull<T extends EncodingOptions> = Omit<T, 'encoding'> & { readonly encoding?: Exclude<T['encoding'], null> }

/**
 * Options that may be given as the name of an encoding alone, or not at all.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, or ERR_INVALID_ARG_VALUE for an unknown encoding
 */
export function readOptions <T extends EncodingOptions> (options: unknown): WithoutNull<T> {
  // as in Node, where a function is taken for a callback
  if (options === undefined || options === null || typeof options === 'function') {
    return {} as WithoutNull<T>
  }

  if (typeof options !== 'string' && typeof options !== 'object') {
    throw wrongType('options', 'one of type string or object', options)
  }

  const given: { encoding?: unknown, signal?: unknown } = typeof options === 'string' ? { encoding: options } : { ...options }

  // as in Node, whatever is falsy stands for none
  given.encoding ||= undefined

  if (given.encoding !== undefined && given.encoding !== 'buffer' && !isEncoding(given.encoding)) {
    throw wrongValue('encoding', given.encoding, 'is invalid encoding')
  }

  checkSignal(given.signal)

  return given as WithoutNull<T>
}

/**
 * The encoding among options that may be its name alone; undefined where none is given.
 *
 * @throws {ArgumentError} as `readOptions`
 */
export function readEncoding (options: unknown): Encoding | 'buffer' | undefined {
  return readOptions(options).encoding
}

/**
 * The signal among options that stand behind Node's own arguments. What is no object is none: `map` gives a function an index there.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function readSignal (options: unknown): AbortOptions {
  const { signal } = Object(options)
  checkSignal(signal)

  return { signal }
}

function checkSignal (signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal !== undefined && (typeof signal !== 'object' || signal === null || !('aborted' in signal))) {
    throw wrongType('options.signal', 'an instance of AbortSignal', signal)
  }
}

/**
 * Reads an integer as Node does.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError}
 */
export function checkInteger (value: unknown, argument: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number') {
    throw wrongType(argument, 'of type number', value)
  }

  if (!Number.isInteger(value)) {
    throw new OutOfRangeError(argument, 'an integer', value)
  }

  if (value < minimum || value > maximum) {
    throw new OutOfRangeError(argument, `>= ${minimum} && <= ${maximum}`, value)
  }

  return value === 0 ? 0 : value
}

/**
 * Reads a boolean as Node does.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function checkBoolean (value: unknown, argument: string): boolean {
  if (typeof value !== 'boolean') {
    throw wrongType(argument, 'of type boolean', value)
  }

  return value
}

/**
 * Reads options that are an object or not given, as Node does.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function checkObject <T extends object> (options: T | undefined): T | Record<string, never> {
  if (options !== undefined && (typeof options !== 'object' || options === null || Array.isArray(options))) {
    throw wrongType('options', 'of type object', options)
  }

  return options ?? {}
}

/**
 * Reads flags of an operation, from 0 to 7 and by default 0, as Node does.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError}
 */
export function checkBits (value: unknown, argument = 'mode'): number {
  const bits = value ?? 0

  if (typeof bits !== 'number') {
    throw wrongType(argument, 'of type number', bits)
  }

  return checkInteger(Math.trunc(bits), argument, 0, 7)
}

const maxUint32 = 2 ** 32 - 1

/**
 * Reads permission bits, as a number or as octal text. Bits of the file's type are ignored.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
 * @throws {OutOfRangeError}
 */
export function toMode (mode: unknown, argument = 'mode'): number {
  if (typeof mode === 'string' && !/^[0-7]+$/.test(mode)) {
    throw wrongValue(argument, mode, 'must be a 32-bit unsigned integer or an octal string')
  }

  return checkInteger(typeof mode === 'string' ? Number.parseInt(mode, 8) : mode, argument, 0, maxUint32) & 0o7777
}

/**
 * As `toMode`, where none need be given.
 */
export function readMode (mode: unknown): number | undefined {
  return mode === undefined || mode === null ? undefined : toMode(mode)
}

/**
 * Reads a time. Dates are exact to their millisecond and numbers to the microsecond; as in Node, a negative number
 * stands for now, and a Date or a text before 1970 for itself.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function toTime (time: TimeLike, argument = 'time'): Time {
  if (time instanceof Date && !Number.isNaN(time.getTime())) {
    return fromMilliseconds(time.getTime())
  }

  if (typeof time === 'string' && Number.isFinite(Number(time))) {
    return fromSeconds(Number(time))
  }

  if (typeof time === 'number' && Number.isFinite(time)) {
    return time < 0 ? fromMilliseconds(Date.now()) : fromSeconds(time)
  }

  if (isTime(time)) {
    return [time[0], time[1]]
  }

  // Node, which takes an invalid Date, says the latter so
  throw wrongType(argument, time instanceof Date ? 'a valid Date' : 'an instance of Date or an Time in seconds', time)
}

function isTime (time: unknown): time is Time {
  return Array.isArray(time) && time.length === 2 && time.every(Number.isSafeInteger) && time[1] >= 0 && time[1] < 1e9
}

export function fromMilliseconds (milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1_000)

  return [seconds, (milliseconds - seconds * 1_000) * 1_000_000]
}

function fromSeconds (time: number): Time {
  const seconds = Math.floor(time)
  const microseconds = Math.round((time - seconds) * 1_000_000)

  return microseconds === 1_000_000 ? [seconds + 1, 0] : [seconds, microseconds * 1_000]
}

/** What Node throws where an argument has the wrong type. `expected` follows "must be". */
export function wrongType (argument: string, expected: string, received: unknown): ArgumentError {
  return new ArgumentError('ERR_INVALID_ARG_TYPE', `The ${named(argument)} must be ${expected}. Received ${described(received)}`)
}

/** What Node throws where an argument has a value that cannot be used. */
export function wrongValue (argument: string, received: unknown, reason = 'is invalid'): ArgumentError {
  return new ArgumentError('ERR_INVALID_ARG_VALUE', `The ${place(argument)} '${argument}' ${reason}. Received ${shown(received)}`)
}

function named (argument: string): string {
  return argument.endsWith(' argument') ? argument : `"${argument}" ${place(argument)}`
}

function place (argument: string): string {
  return argument.includes('.') ? 'property' : 'argument'
}

function described (value: unknown): string {
  if (value === undefined || value === null) {
    return String(value)
  }

  if (typeof value === 'function') {
    return `function ${value.name}`
  }

  if (typeof value === 'object') {
    return typeof value.constructor === 'function' ? `an instance of ${value.constructor.name}` : '[Object: null prototype] {}'
  }

  if (typeof value === 'string') {
    return `type string (${shown(value.length > 28 ? `${value.slice(0, 25)}...` : value)})`
  }

  // digits are not grouped here, as in Node
  return `type ${typeof value} (${typeof value === 'bigint' ? `${value}n` : plain(value)})`
}

function plain (value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
