import { Uint8ArrayList } from 'uint8arraylist'
import type { AddedEntry } from 'dagfs'

// entries on a wire, for a page: the length of a header in 4 bytes, the header
// in JSON, and the bytes of a file, one entry after the other. Runs in browsers.

type Header =
  | { readonly kind: 'file', readonly path: string, readonly size: number }
  | { readonly kind: 'directory', readonly path: string }
  | { readonly kind: 'symlink', readonly path: string, readonly target: string }

const LENGTH_BYTES = 4

export function frame (header: Header): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header))
  const bytes = new Uint8Array(LENGTH_BYTES + text.byteLength)

  new DataView(bytes.buffer).setUint32(0, text.byteLength)
  bytes.set(text, LENGTH_BYTES)

  return bytes
}

/**
 * Reads entries back from the pieces of a stream, each file whole: they follow
 * each other on one stream, and are stored side by side.
 */
export async function * readFrames (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<AddedEntry> {
  const reader = new PieceReader(pieces)

  while (await reader.hasMore()) {
    const length = await reader.read(LENGTH_BYTES)
    const text = await reader.read(new DataView(length.buffer, length.byteOffset).getUint32(0))
    const header: Header = JSON.parse(new TextDecoder().decode(text))

    yield header.kind === 'file' ? { path: header.path, content: await reader.read(header.size) } : header
  }
}

class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #list = new Uint8ArrayList()

  constructor (pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  async hasMore (): Promise<boolean> {
    return this.#fill(1)
  }

  async read (bytes: number): Promise<Uint8Array> {
    if (!await this.#fill(bytes)) {
      throw new Error(`the stream ends ${bytes - this.#list.byteLength} bytes early`)
    }

    const read = this.#list.slice(0, bytes)

    this.#list.consume(bytes)

    return read
  }

  async #fill (bytes: number): Promise<boolean> {
    while (this.#list.byteLength < bytes) {
      const { done, value } = await this.#pieces.next()

      if (done === true) {
        return false
      }

      this.#list.append(value)
    }

    return true
  }
}
