import type { Part } from '../../codec/index.ts'

/** Bytes in memory, or a chunk that is put already */
export type ChunkEdit = Uint8Array | Part

/**
 * The chunks of a file that differ from what is stored, by their numbers. A buffer that somebody reads is not written to: it is copied
 * first.
 */
export class ChunkEdits {
  readonly #hold: (bytes: number) => void
  readonly #chunkBytes: number
  /** Behind the bytes that the file's size gives, a buffer holds zeros */
  readonly #edits = new Map<number, ChunkEdit>()
  /** What is being read of them, and the buffers in it */
  readonly #readers = new Set<ReadonlyMap<number, ChunkEdit>>()
  readonly #shared = new Set<Uint8Array>()

  /**
   * @param chunkBytes - how long each chunk is, but for the last one
   * @param hold - told how many bytes of memory more are held
   */
  constructor (chunkBytes: number, hold: (bytes: number) => void) {
    this.#chunkBytes = chunkBytes
    this.#hold = hold
  }

  get all (): ReadonlyMap<number, ChunkEdit> {
    return this.#edits
  }

  has (index: number): boolean {
    return this.#edits.has(index)
  }

  set (index: number, edit: ChunkEdit): void {
    const before = this.#edits.get(index)
    this.#edits.set(index, edit)
    this.#hold(heldBytes(edit) - heldBytes(before))
  }

  /** Forgets the chunks from a number on. */
  cut (from: number): void {
    for (const [index, edit] of this.#edits) {
      if (index >= from) {
        this.#edits.delete(index)
        this.#hold(-heldBytes(edit))
      }
    }
  }

  /** A chunk's bytes, where they are in memory. */
  buffer (index: number): Uint8Array | undefined {
    const edit = this.#edits.get(index)

    return edit instanceof Uint8Array ? edit : undefined
  }

  /** The buffer of a chunk that is in memory, which can be written to. */
  own (index: number, buffer: Uint8Array): Uint8Array {
    if (!this.#shared.has(buffer)) {
      return buffer
    }

    const copy = buffer.slice()
    this.set(index, copy)

    return copy
  }

  /** A buffer for a chunk with at least so many bytes, which can be written to. It grows by half, so that many small writes copy little. */
  room (index: number, bytes: number): Uint8Array {
    const buffer = this.buffer(index)

    if (buffer !== undefined && buffer.byteLength >= bytes) {
      return this.own(index, buffer)
    }

    const larger = new Uint8Array(buffer === undefined ? bytes : Math.min(this.#chunkBytes, Math.max(bytes, 2 * buffer.byteLength)))
    larger.set(buffer ?? [])
    this.set(index, larger)

    return larger
  }

  /** The chunks from a number up to, not including, another one, as they are until they are released. */
  share (first: number, behind: number): ReadonlyMap<number, ChunkEdit> {
    const edits = this.#within(first, behind)
    this.#readers.add(edits)

    for (const edit of edits.values()) {
      if (edit instanceof Uint8Array) {
        this.#shared.add(edit)
      }
    }

    return edits
  }

  release (edits: ReadonlyMap<number, ChunkEdit>): void {
    this.#readers.delete(edits)

    if (this.#readers.size === 0) {
      this.#shared.clear()
    }
  }

  #within (first: number, behind: number): Map<number, ChunkEdit> {
    // a claimed size may stand for more chunks than can be counted
    if (behind - first > this.#edits.size) {
      return new Map(Array.from(this.#edits).filter(([index]) => index >= first && index < behind))
    }

    const edits = new Map<number, ChunkEdit>()

    for (let index = first; index < behind; index++) {
      const edit = this.#edits.get(index)

      if (edit !== undefined) {
        edits.set(index, edit)
      }
    }

    return edits
  }
}

function heldBytes (edit: ChunkEdit | undefined): number {
  return edit instanceof Uint8Array ? edit.byteLength : 0
}
