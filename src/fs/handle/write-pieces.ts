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

/**
 * Writes pieces one behind the other, from where the last operation ended. Other operations may come between them.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE for what is neither text nor bytes
 */
export async function writePieces (descriptor: Descriptor, data: WritableContent, { encoding, signal }: PieceOptions): Promise<void> {
  for await (const piece of pieces(data)) {
    signal?.throwIfAborted()
    const bytes = bytesOfPiece(piece, encoding)

    // Node does not look at how the file was opened for nothing
    if (bytes.byteLength > 0) {
      await descriptor.write([bytes])
    }

    signal?.throwIfAborted()
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
    throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', piece)
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
