import { throwIfAborted, untilAborted } from '../abort.ts'
import { FileSystemError } from '../errors.ts'
import { streamPieces } from './stream-pieces.ts'
import type { FileContent } from './entry-types.ts'
import type { FileSource } from '../file/index.ts'
import type { AbortOptions } from '../options.ts'

const encoder = new TextEncoder()
// large content that the caller holds in one piece is copied bit by bit
const copyBytes = 2 ** 20

/** The cause is what the source of a file's content threw, as against what went wrong with its bytes later. */
export class SourceFailure extends Error {
  constructor (cause: unknown) {
    // who catches it throws the cause
    super(undefined, { cause })
  }
}

/**
 * Makes one stream, or bytes at hand, of every form that the content of a file may have. What its source throws comes out of it as a
 * `SourceFailure`.
 *
 * @throws {FileSystemError} EINVAL, while it is read, where a piece is not bytes
 */
export function contentStream (content: FileContent, path: string, options: AbortOptions): FileSource {
  return bytesStream(content, path, options, piece => {
    if (!(piece instanceof Uint8Array)) {
      throw new FileSystemError('EINVAL', 'add', path, 'content must be bytes')
    }

    return piece
  })
}

/**
 * As `contentStream`, of pieces that are yet to become bytes.
 */
export function bytesStream (content: FileContent | Iterable<unknown> | AsyncIterable<unknown>, path: string, options: AbortOptions, toBytes: (piece: unknown) => Uint8Array): FileSource {
  if (typeof content === 'string') {
    return encoder.encode(content)
  }

  if (content instanceof Uint8Array) {
    return copiedBytes(content)
  }

  const source = content instanceof Blob ? content.stream() : content

  return pieces(iterator(source, path), options, toBytes)
}

/** A copy of bytes, which the caller may go on to change. */
export function copiedBytes (bytes: Uint8Array): FileSource {
  // the slice of a Buffer would be no copy
  return bytes.byteLength <= copyBytes ? new Uint8Array(bytes) : copies(bytes)
}

function * copies (bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += copyBytes) {
    yield new Uint8Array(bytes.subarray(offset, offset + copyBytes))
  }
}

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>

function iterator (source: Iterable<unknown> | AsyncIterable<unknown> | ReadableStream<unknown>, path: string): AnyIterator {
  if (Object(source) === source) {
    if (Symbol.asyncIterator in source) {
      return source[Symbol.asyncIterator]()
    }

    if (Symbol.iterator in source) {
      return source[Symbol.iterator]()
    }

    // some browsers cannot iterate over their own streams
    if ('getReader' in source) {
      return streamPieces(source as ReadableStream<unknown>)
    }
  }

  throw new FileSystemError('EINVAL', 'add', path, 'content must be a string, bytes, a Blob or a stream of bytes')
}

async function * pieces (source: AnyIterator, { signal }: AbortOptions, toBytes: (piece: unknown) => Uint8Array): AsyncGenerator<Uint8Array> {
  let isAtEnd = false

  try {
    for (;;) {
      const { done, value } = await next(source, signal)

      if (done === true) {
        isAtEnd = true
        return
      }

      yield toBytes(value)
    }
  } finally {
    if (!isAtEnd) {
      await leave(source, signal)
    }
  }
}

async function next (source: AnyIterator, signal?: AbortSignal): Promise<IteratorResult<unknown>> {
  try {
    // a source that never settles must not block an abort
    return await untilAborted(Promise.resolve(source.next()), signal)
  } catch (err) {
    throwIfAborted(signal)
    throw new SourceFailure(err)
  }
}

/** Tells a source that no more of it is read. With a pending read, its `return()` would settle only after the next piece. */
async function leave (source: AnyIterator, signal?: AbortSignal): Promise<void> {
  const left = Promise.resolve(source.return?.())

  if (signal?.aborted === true) {
    left.catch(() => {})
    return
  }

  await left
}
