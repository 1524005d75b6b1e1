import { Uint8ArrayList } from 'uint8arraylist'
import { maxChunkBytes } from '../codec/index.ts'
import { integerOption } from '../options.ts'

/**
 * Decides where a byte stream is cut into chunks. It keeps no state, so one value serves many files.
 */
export interface Chunker {
  /** No chunk is longer */
  readonly maxChunkBytes: number
  /** Where every chunk but the last has `maxChunkBytes` bytes: an edit then changes no chunk but those that it touches */
  readonly isFixed?: boolean

  /**
   * How long the first chunk of `bytes` is. It is shown `maxChunkBytes` bytes, or fewer at the end of the stream.
   */
  firstChunkBytes(bytes: Uint8Array): number
}

/**
 * Chunks of one size, the last one shorter.
 *
 * @throws {InvalidOptionError} where the size is not an integer from 1 to 1,048,576
 */
export function fixedSize (chunkBytes: number): Chunker {
  integerOption('chunkBytes', chunkBytes, 1, maxChunkBytes)

  return {
    maxChunkBytes: chunkBytes,
    isFixed: true,
    firstChunkBytes: bytes => Math.min(chunkBytes, bytes.byteLength)
  }
}

/**
 * Cuts a byte stream into chunks, holding little more than one of them at a time.
 */
export async function * chunks (source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, chunker: Chunker): AsyncGenerator<Uint8Array> {
  const held = new Uint8ArrayList()

  for await (const piece of source) {
    held.append(piece)

    while (held.byteLength >= chunker.maxChunkBytes) {
      yield take(held, chunker)
    }
  }

  while (held.byteLength > 0) {
    yield take(held, chunker)
  }
}

function take (held: Uint8ArrayList, chunker: Chunker): Uint8Array {
  const bytes = held.subarray(0, Math.min(held.byteLength, chunker.maxChunkBytes))
  const length = chunker.firstChunkBytes(bytes)
  held.consume(length)

  return bytes.subarray(0, length)
}
