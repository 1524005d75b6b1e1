import { throwIfAborted, turnToAbort } from '../../abort.ts'
import { wrongType } from '../node-api/arguments.ts'
import { encodeText } from '../node-api/encoding.ts'
import { streamPieces } from '../stream-pieces.ts'
import { bytesOf } from './transfer.ts'
import type { Descriptor } from './descriptor.ts'
import type { AbortOptions } from '../../options.ts'
import type { Encoding } from '../node-api/encoding.ts'

type Piece = string | ArrayBufferView

/** What can be written: text, bytes of any type, a Blob or File, or pieces of text or bytes. */
export type WritableContent = string | ArrayBufferView | Blob | Iterable<Piece> | AsyncIterable<Piece> | ReadableStream<Piece>

interface PieceOptions extends AbortOptions {
  /** The encoding of text. Default: utf8 */
  readonly encoding?: Encoding
}

// as in Node, between two of which an abort is seen
const abortEveryBytes = 2 ** 19

/**
 * Writes pieces one behind the other, from where the last operation ended. Other operations may come between them.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE for what is neither text nor bytes
 * @throws {AbortError}
 */
export async function writePieces (descriptor: Descriptor, data: WritableContent, { encoding, signal }: PieceOptions): Promise<void> {
  const source = pieces(data)
  const isOne = typeof data === 'string' || ArrayBuffer.isView(data)
  throwIfAborted(signal)

  for await (const piece of source) {
    throwIfAborted(signal)
    const bytes = bytesOfPiece(piece, encoding)
    const step = signal === undefined ? bytes.byteLength : abortEveryBytes

    // Node does not look at how the file was opened for nothing
    for (let offset = 0; offset < bytes.byteLength; offset += step) {
      await descriptor.write([bytes.subarray(offset, offset + step)])

      // as in Node, what is written whole is written
      if (!isOne || offset + step < bytes.byteLength) {
        await turnToAbort(signal)
      }
    }
  }
}

/**
 * The bytes of a piece.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 */
export function bytesOfPiece (piece: unknown, encoding?: Encoding): Uint8Array {
  if (typeof piece === 'string') {
    return encodeText(piece, encoding)
  }

  if (!ArrayBuffer.isView(piece)) {
    // Node's `Buffer.from` says this
    throw wrongType('first argument', 'of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object', piece)
  }

  return bytesOf(piece)
}

function pieces (data: WritableContent): Iterable<Piece> | AsyncIterable<Piece> {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) {
    return [data]
  }

  if (Object(data) === data) {
    const source = data instanceof Blob ? data.stream() : data

    if (Symbol.asyncIterator in source || Symbol.iterator in source) {
      return source
    }

    // some browsers cannot iterate over their own streams
    if ('getReader' in source) {
      return streamPieces(source as ReadableStream<Piece>)
    }
  }

  throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}
