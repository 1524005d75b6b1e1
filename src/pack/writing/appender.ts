import { StoreStateError } from '../../errors.ts'
import { maxHeadBytes, writeHead } from '../format/section.ts'
import { RangeDigest } from '../scanning/range-digest.ts'
import type { WritingClaim } from './segment-claim.ts'
import type { OpenFile } from '../files/files.ts'

/** Bytes that wait to be written */
interface Piece {
  /** Empty as long as nothing was taken */
  bytes: Uint8Array
  readonly start: number
  length: number
}

export interface Range {
  readonly from: number
  readonly to: number
  readonly digest: Uint8Array
}

// with the one being filled 16 MiB, where pieces have 4 MiB
const maxFullPieces = 3

export interface AppenderOptions {
  /** Asked before each write */
  readonly claim: WritingClaim
  /** How much is written at once */
  readonly pieceBytes: number
  /** Told of pieces that were written */
  readonly onWritten?: ((bytes: number) => void) | undefined
}

/**
 * Writes the sections of a segment one behind the other, in pieces that are written while the next one is filled.
 * What a failed write did not take is kept, and written again by the next attempt.
 */
export class Appender {
  readonly #file: OpenFile
  readonly #path: string
  readonly #options: AppenderOptions
  readonly #head = new Uint8Array(maxHeadBytes)
  /** How far the file may reach: behind what was written, or what a failed write may have written a part of */
  #reach: number
  #rangeStart: number
  #current: Piece
  #full: Piece[] = []
  #spare: Uint8Array[] = []
  #digest = new RangeDigest()
  #pumping: Promise<void> | undefined
  #failure: { readonly reason: unknown } | undefined

  /**
   * @param file - the segment
   * @param path - its name, for errors
   * @param end - where it ends so far: behind a record, or at 0
   * @param options - how it is written
   */
  constructor (file: OpenFile, path: string, end: number, options: AppenderOptions) {
    this.#file = file
    this.#path = path
    this.#options = options
    this.#rangeStart = end
    this.#reach = end
    this.#current = pieceAt(end)
  }

  /** Where the next section begins */
  get end (): number {
    return this.#current.start + this.#current.length
  }

  get isEmpty (): boolean {
    return this.end === this.#rangeStart
  }

  /** Whether bytes can be taken at once */
  fits (length: number): boolean {
    return length <= this.#options.pieceBytes - this.#current.length || this.#full.length < maxFullPieces
  }

  /** Waits until a section can be taken. */
  async ready (): Promise<void> {
    while (this.#full.length >= maxFullPieces) {
      await this.#pumpOrFail()
    }
  }

  /** Takes a section and returns where its data begins. */
  append (key: Uint8Array, data: Uint8Array): number {
    this.appendHead(this.#head.subarray(0, writeHead(this.#head, 0, key, data.byteLength)))
    const dataOffset = this.end
    this.#take(data)

    return dataOffset
  }

  /** Takes what the next record vouches for itself: the head of a section, or of a segment. */
  appendHead (bytes: Uint8Array): void {
    // where there is no memory for it, it is not taken at all
    this.#room()
    this.#digest.add(bytes)
    this.#take(bytes)
  }

  /** A copy of bytes that are not all written yet; undefined where the file has them. */
  read (offset: number, length: number): Uint8Array | undefined {
    const first = this.#full[0] ?? this.#current

    if (offset + length <= first.start) {
      return
    }

    const found = new Uint8Array(length)

    for (const piece of [...this.#full, this.#current]) {
      const from = Math.max(offset, piece.start)
      const to = Math.min(offset + length, piece.start + piece.length)

      if (from < to) {
        found.set(piece.bytes.subarray(from - piece.start, to - piece.start), from - offset)
      }
    }

    // the beginning stands in the file already
    const written = Math.min(length, first.start - offset)

    if (written > 0) {
      this.#file.readNow(found.subarray(0, written), offset)
    }

    return found
  }

  /**
   * Writes all that was taken, and behind it the section that vouches for it, and returns what was made with that. Nothing
   * may be appended meanwhile. Where it fails, everything is as before, and it may be tried again.
   *
   * @throws {StoreStateError} where somebody else wrote to the file
   */
  async finishRange <T extends { readonly section: Uint8Array }> (make: (range: Range) => Promise<T>): Promise<T> {
    while (this.#full.length > 0) {
      await this.#pumpOrFail()
    }

    const { start, length } = this.#current
    const bytes = this.#room()
    const rest = bytes.subarray(0, length)
    const record = await make({ from: this.#rangeStart, to: this.end, digest: this.#digest.digest() })
    const { section } = record

    if (length + section.byteLength <= this.#options.pieceBytes) {
      bytes.set(section, length)
      await this.#write(bytes.subarray(0, length + section.byteLength), start)
    } else {
      await this.#write(rest, start)
      await this.#write(section, this.end)
    }

    this.#spare.push(bytes)
    this.#digest = new RangeDigest()
    this.#rangeStart = this.end + section.byteLength
    this.#current = pieceAt(this.#rangeStart)

    return record
  }

  /**
   * Cuts off what a failed write left behind the end. All that was taken has to be written.
   *
   * @throws {StoreStateError} where somebody else wrote to the file
   */
  async trim (): Promise<void> {
    if (this.#reach > this.end) {
      await this.#requireOwn(this.end)
      await this.#file.truncate(this.end)
      this.#reach = this.end
    }
  }

  #take (bytes: Uint8Array): void {
    let taken = 0

    while (taken < bytes.byteLength) {
      const { length } = this.#current
      const count = Math.min(this.#options.pieceBytes - length, bytes.byteLength - taken)
      this.#room().set(count === bytes.byteLength ? bytes : bytes.subarray(taken, taken + count), length)
      this.#current.length += count
      taken += count

      if (this.#current.length === this.#options.pieceBytes) {
        this.#finishPiece()
      }
    }
  }

  /** Every write begins where the file ends, unless one failed before: else somebody else writes to it. */
  async #write (bytes: Uint8Array, position: number): Promise<void> {
    await this.#requireOwn(position)
    this.#reach = Math.max(this.#reach, position + bytes.byteLength)
    await this.#file.write(bytes, position)
  }

  async #requireOwn (end: number): Promise<void> {
    const size = await this.#file.size()
    this.#options.claim.requireOwn()

    if (size < end || size > this.#reach) {
      throw new StoreStateError('another process wrote to the pack store: close it, and open it again', { path: this.#path })
    }
  }

  /** The bytes of the current piece: a store that is only read from has none. */
  #room (): Uint8Array {
    if (this.#current.bytes.byteLength === 0) {
      this.#current.bytes = this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#options.pieceBytes)
    }

    return this.#current.bytes
  }

  #finishPiece (): void {
    this.#full.push(this.#current)
    this.#current = pieceAt(this.end)
    // its failure is kept, for whoever waits
    void this.#pump()
  }

  async #pumpOrFail (): Promise<void> {
    await this.#pump()

    if (this.#failure !== undefined) {
      throw this.#failure.reason
    }
  }

  /** Writes full pieces until there are none or one fails. */
  #pump (): Promise<void> {
    this.#pumping ??= this.#writeFull().finally(() => {
      this.#pumping = undefined
    })

    return this.#pumping
  }

  async #writeFull (): Promise<void> {
    this.#failure = undefined

    try {
      for (let piece = this.#full.at(0); piece !== undefined; piece = this.#full.at(0)) {
        await this.#write(piece.bytes, piece.start)
        this.#options.onWritten?.(piece.length)
        this.#full.shift()
        this.#spare.push(piece.bytes)
      }
    } catch (err) {
      this.#failure = { reason: err }
    }
  }
}

function pieceAt (start: number): Piece {
  return { bytes: new Uint8Array(0), start, length: 0 }
}
