/** Pieces of large files: chunks of the default layout, so that they need not be copied together. */
export const pieceBytes = 2 ** 20

// more are in work only where many large files are
const maxSpare = 8

/**
 * Memory for pieces of files, which is used again once all bytes of a piece were given back: new memory for each MiB has
 * the garbage collector run for every thirty. What is never given back is left to it.
 */
export class PieceMemory {
  readonly #spare: ArrayBufferLike[] = []
  /** Bytes of a piece that are not given back */
  readonly #lent = new WeakMap<ArrayBufferLike, number>()

  /** Memory for a whole piece, which whoever fills it lends to others. */
  take (): Uint8Array {
    return new Uint8Array(this.#spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes).buffer)
  }

  /** From here on all of these bytes have to be given back, where they are a whole piece. */
  lend (bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength === pieceBytes) {
      this.#lent.set(bytes.buffer, pieceBytes)
    }

    return bytes
  }

  /** Nobody holds these bytes any more: a piece, a part of one, or bytes that were never lent. */
  readonly giveBack = ({ buffer, byteLength }: Uint8Array): void => {
    const lent = this.#lent.get(buffer)

    if (lent === undefined) {
      return
    }

    if (lent > byteLength) {
      this.#lent.set(buffer, lent - byteLength)
      return
    }

    this.#lent.delete(buffer)

    if (this.#spare.length < maxSpare) {
      this.#spare.push(buffer)
    }
  }
}
