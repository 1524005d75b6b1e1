import { OutOfRangeError } from '../../errors.ts'
import { checkInteger, wrongType, wrongValue } from '../node-api/arguments.ts'
import { encodeText, isEncoding, isHex } from '../node-api/encoding.ts'
import type { AbortOptions } from '../../options.ts'
import type { Encoding } from '../node-api/encoding.ts'

/** Where bytes go to or come from: a range of a buffer, and a place in the file; none is where the last one ended. */
export interface Transfer extends AbortOptions {
  readonly bytes: Uint8Array
  readonly position: number | undefined
}

/** A position in a file; null, undefined and -1 stand for where the last operation ended. */
export type Position = number | bigint | null | undefined

/** Which bytes of a buffer a `FileHandle` reads into or writes, and where in the file. */
export interface TransferOptions extends AbortOptions {
  /** The first byte of the buffer. Default: 0 */
  readonly offset?: number | null
  /** Bytes to transfer. Default: to the end of the buffer */
  readonly length?: number | null
  /** Default: null, where the last operation ended */
  readonly position?: Position
}

const defaultBufferBytes = 16_384

/**
 * What is asked of `read`, in each of the forms that Node knows.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, or ERR_INVALID_ARG_VALUE for an empty buffer
 * @throws {OutOfRangeError}
 */
export function readRequest <B extends ArrayBufferView> (target: B | (TransferOptions & { buffer?: B }) | null | undefined, offsetOrOptions?: number | TransferOptions | null, length?: number | null, position?: Position): Transfer & { readonly buffer: B } {
  if (target !== undefined && target !== null && (typeof target !== 'object' || Array.isArray(target))) {
    throw wrongType('options', 'of type object', target)
  }

  if (!ArrayBuffer.isView(target)) {
    const { buffer = new Uint8Array(defaultBufferBytes) as ArrayBufferView as B, ...range } = target ?? {}

    return { buffer, ...readTransfer(checkBuffer(buffer), range) }
  }

  const range = typeof offsetOrOptions === 'object' && offsetOrOptions !== null ? offsetOrOptions : { offset: offsetOrOptions, length, position }

  return { buffer: target, ...readTransfer(target, range) }
}

function readTransfer (buffer: ArrayBufferView, range: TransferOptions): Transfer {
  const offset = checkInteger(range.offset ?? 0, 'offset')
  const length = range.length ?? buffer.byteLength - offset
  const position = readPosition(range.position, length)
  const { signal } = range

  if (length === 0) {
    return { bytes: new Uint8Array(0), position, signal }
  }

  if (buffer.byteLength === 0) {
    throw wrongValue('buffer', buffer, 'is empty and cannot be written')
  }

  if (length < 0) {
    throw new OutOfRangeError('length', '>= 0', length)
  }

  if (offset + length > buffer.byteLength) {
    throw new OutOfRangeError('length', `<= ${buffer.byteLength - offset}`, length)
  }

  return { bytes: bytesOf(buffer).subarray(offset, offset + checkInteger(length, 'length')), position, signal }
}

function readPosition (position: unknown, length: number): number | undefined {
  if (position === undefined || position === null) {
    return undefined
  }

  if (typeof position === 'bigint') {
    const last = 2n ** 63n - 1n - BigInt(length)

    if (position < -1n || position > last) {
      throw new OutOfRangeError('position', `>= -1 && <= ${last}`, position)
    }
  } else if (typeof position === 'number') {
    checkInteger(position, 'position', -1)
  } else {
    throw wrongType('position', 'of type bigint or integer', position)
  }

  return position < 0 ? undefined : Number(position)
}

/**
 * What is asked of `write` with bytes.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError}
 */
export function writeRequest (buffer: ArrayBufferView, offsetOrOptions?: number | TransferOptions | null, length?: number | null, position?: Position): Transfer {
  if (buffer.byteLength === 0) {
    return { bytes: new Uint8Array(0), position: undefined }
  }

  // as in Node, null stands for no options, and what comes after it is not looked at
  const range: TransferOptions = typeof offsetOrOptions === 'object' ? offsetOrOptions ?? {} : { offset: offsetOrOptions, length, position }
  const offset = checkInteger(range.offset ?? 0, 'offset')
  const size = buffer.byteLength
  const count = typeof range.length === 'number' ? range.length : size - offset

  if (offset > size) {
    throw new OutOfRangeError('offset', `<= ${size}`, offset)
  }

  if (count > size - offset) {
    throw new OutOfRangeError('length', `<= ${size - offset}`, count)
  }

  return { bytes: bytesOf(buffer).subarray(offset, offset + checkLength(count)), position: anyPosition(range.position), signal: range.signal }
}

function checkLength (length: number): number {
  if (length < 0) {
    throw new OutOfRangeError('length', '>= 0', length)
  }

  return checkInteger(length, 'length', 0, 2 ** 31 - 1)
}

/**
 * What is asked of `write` with text.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, or ERR_INVALID_ARG_VALUE for half a byte of hexadecimal
 */
export function textRequest (text: unknown, position?: unknown, encoding?: unknown): Transfer {
  if (typeof text !== 'string') {
    throw wrongType('buffer', 'of type string or an instance of Buffer, TypedArray, or DataView', text)
  }

  // as in Node, an encoding that is none stands for utf8
  const known: Encoding = isEncoding(encoding) ? encoding : 'utf8'

  if (isHex(known) && text.length % 2 !== 0) {
    throw wrongValue('encoding', encoding, `is invalid for data of length ${text.length}`)
  }

  return { bytes: encodeText(text, known), position: anyPosition(position) }
}

/** As Node reads the position of a write: what is no place in a file stands for where the last operation ended. */
export function anyPosition (position: unknown): number | undefined {
  const number = typeof position === 'bigint' ? Number(position) : position

  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined
}

/**
 * Checks a list of buffers.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function checkBuffers (buffers: readonly ArrayBufferView[]): Uint8Array[] {
  if (!Array.isArray(buffers) || !buffers.every(buffer => ArrayBuffer.isView(buffer))) {
    throw wrongType('buffers', 'an ArrayBufferView[]', buffers)
  }

  return buffers.map(bytesOf)
}

function checkBuffer (buffer: unknown): ArrayBufferView {
  if (!ArrayBuffer.isView(buffer)) {
    throw wrongType('buffer', 'an instance of Buffer, TypedArray, or DataView', buffer)
  }

  return buffer
}

/** The bytes that a view of any type looks at. */
export function bytesOf (view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
