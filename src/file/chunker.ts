import { concat } from '../bytes.ts'
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
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, dagfs1, fixedSize } from 'dagfs'
 *
 * const chunker = fixedSize(65_536)
 * console.log(chunker.firstChunkBytes(new Uint8Array(100_000))) // 65536
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout: { ...dagfs1, chunker } })
 * await fs.writeFile('/file', new Uint8Array(100_000)) // two blocks, and one that indexes them
 * ```
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
  const held = new HeldBytes()

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

function take (held: HeldBytes, chunker: Chunker): Uint8Array {
  const bytes = held.first(chunker.maxChunkBytes)

  return held.take(chunker.firstChunkBytes(bytes))
}

/** Pieces of a stream that are not yet in a chunk. They are put together only where a chunk does not lie in one of them. */
class HeldBytes {
  #pieces: Uint8Array[] = []
  byteLength = 0

  append (piece: Uint8Array): void {
    if (piece.byteLength > 0) {
      this.#pieces.push(piece)
      this.byteLength += piece.byteLength
    }
  }

  /** The first bytes, all that are there where they are fewer. */
  first (length: number): Uint8Array {
    if (this.#pieces.length > 1 && this.#pieces[0].byteLength < length) {
      this.#pieces = this.#joined(length)
    }

    return this.#pieces[0].subarray(0, length)
  }

  /** The pieces with those that begin within so many bytes as one. */
  #joined (length: number): Uint8Array[] {
    let count = 0

    for (let bytes = 0; count < this.#pieces.length && bytes < length; count++) {
      bytes += this.#pieces[count].byteLength
    }

    return [concat(this.#pieces.slice(0, count)), ...this.#pieces.slice(count)]
  }

  take (length: number): Uint8Array {
    const bytes = this.first(length)
    const [piece, ...others] = this.#pieces
    this.#pieces = piece.byteLength === length ? others : [piece.subarray(length), ...others]
    this.byteLength -= length

    return bytes
  }
}
