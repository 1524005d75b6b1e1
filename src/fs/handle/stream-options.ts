import { OutOfRangeError } from '../../errors.ts'
import { checkBoolean, checkInteger, readOptions, wrongValue } from '../node-api/arguments.ts'
import type { ByteStreamOptions, WriteStreamOptions } from './types.ts'
import type { AbortOptions } from '../../options.ts'
import type { EncodingOptions } from '../node-api/arguments.ts'
import type { Encoding } from '../node-api/encoding.ts'

// a chunk of the default layout, so that none is fetched twice
const readAtOnceBytes = 1_048_576
const writeAheadBytes = 65_536

export interface ReadStreamRequest extends AbortOptions {
  /** Undefined: where the last operation ended */
  readonly start: number | undefined
  /** How many bytes are wanted at most */
  readonly length: number
  readonly autoClose: boolean
  /** How many bytes to read at once */
  readonly atOnce: number
}

export interface WriteStreamRequest extends AbortOptions {
  /** Undefined: where the last operation ended */
  readonly start: number | undefined
  readonly autoClose: boolean
  readonly flush: boolean
  readonly encoding: Encoding | undefined
  /** How many bytes to take before the writer is told to wait */
  readonly ahead: number
}

/**
 * Reads the options of a stream that reads.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
 * @throws {OutOfRangeError} where `start` or `end` is no place in a file, or `start` is behind `end`
 */
export function readStreamRequest (options: unknown): ReadStreamRequest {
  const { start, end, autoClose = true, signal, highWaterMark = readAtOnceBytes, encoding } = readOptions<ByteStreamOptions & EncodingOptions>(options)

  if (encoding !== undefined && encoding !== 'buffer') {
    throw wrongValue('options.encoding', encoding, 'cannot be given for a stream of bytes; pipe it through a TextDecoderStream')
  }

  return {
    start,
    length: lengthOfRange(start, end),
    autoClose: checkBoolean(autoClose, 'options.autoClose'),
    signal,
    atOnce: Math.max(checkInteger(highWaterMark, 'options.highWaterMark'), 1)
  }
}

function lengthOfRange (start?: number, end?: number): number {
  if (start !== undefined) {
    checkInteger(start, 'start')
  }

  if (end === undefined || end === Number.POSITIVE_INFINITY) {
    return Number.POSITIVE_INFINITY
  }

  if (start !== undefined && start > checkInteger(end, 'end')) {
    throw new OutOfRangeError('start', `<= "end" (here: ${end})`, start)
  }

  return checkInteger(end, 'end') - (start ?? 0) + 1
}

/**
 * Reads the options of a stream that writes.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
 * @throws {OutOfRangeError} where `start` is no place in a file
 */
export function writeStreamRequest (options: unknown): WriteStreamRequest {
  const { start, autoClose = true, flush = false, signal, encoding, highWaterMark = writeAheadBytes } = readOptions<WriteStreamOptions>(options)

  return {
    start: start === undefined ? undefined : checkInteger(start, 'start'),
    autoClose: checkBoolean(autoClose, 'options.autoClose'),
    flush: checkBoolean(flush ?? false, 'options.flush'),
    signal,
    encoding: encoding === 'buffer' ? undefined : encoding,
    ahead: checkInteger(highWaterMark, 'options.highWaterMark')
  }
}

/** How far a writer may be ahead, in bytes or characters. */
export function writeStrategy ({ ahead }: WriteStreamRequest): QueuingStrategy<Uint8Array | string> {
  return { highWaterMark: ahead, size: piece => typeof piece === 'string' ? piece.length : piece.byteLength }
}
