import { CorruptStoreError, LimitExceededError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { cidOfKey, maxBlockBytes, maxHeadBytes, readHead, readHeadOfVersion0, readVarint } from '../format/section.ts'
import type { PackBlock } from './gc.ts'
import type { AbortOptions } from '../../options.ts'
import type { Section } from '../format/section.ts'

export const maxHeaderBytes = 2 ** 20

/** A stream that does not end must not be read for ever. */
export const maxCarBytes = 2 ** 40

const maxVarintBytes = 9

export interface CarOptions extends AbortOptions {
  /** Of the whole CAR; 1 TiB by default */
  readonly maxBytes?: number
}

/**
 * The blocks of a CAR with CIDs of sha2-256, as they come and with version 1; whoever takes one checks it.
 *
 * @throws {CorruptStoreError} where the bytes are no such CAR
 * @throws {LimitExceededError} where its header is larger than 1 MiB, or all of it than it may be
 */
export async function * carBlocks (source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, { maxBytes = maxCarBytes, signal }: CarOptions = {}): AsyncGenerator<PackBlock> {
  const window = new Window()
  let isHeaderRead = false
  let left = maxBytes

  for await (const bytes of source) {
    await pace({ signal })
    left -= bytes.byteLength

    if (left < 0) {
      throw new LimitExceededError(`a CAR is larger than ${maxBytes} bytes`)
    }

    window.add(bytes)
    const { rest } = window
    let at = 0

    if (!isHeaderRead) {
      const header = readVarint(rest, 0, rest.byteLength)

      if (header !== undefined && header.value > maxHeaderBytes) {
        throw new LimitExceededError(`a CAR's header is larger than ${maxHeaderBytes} bytes`)
      }

      if (header === undefined && rest.byteLength >= maxVarintBytes) {
        throw new CorruptStoreError('the CAR does not begin with the length of a header')
      }

      if (header === undefined || header.end + header.value > rest.byteLength) {
        continue
      }

      at = header.end + header.value
      isHeaderRead = true
    }

    for (let section = readCarHead(rest, at); section !== undefined; section = readCarHead(rest, at)) {
      const end = section.dataOffset + section.dataLength

      if (end > rest.byteLength) {
        break
      }

      // copies: what comes next is written over them
      yield { cid: cidOfKey(section.key.slice()), bytes: rest.slice(section.dataOffset, end) }
      at = end
    }

    window.take(at)

    if (window.rest.byteLength > maxBlockBytes + maxHeadBytes) {
      break
    }
  }

  if (!isHeaderRead || window.rest.byteLength > 0) {
    throw new CorruptStoreError('the CAR is truncated, or has a block whose hash is not sha2-256')
  }
}

/**
 * The bytes that came and were not taken yet. They move only where half of the window is free then, so that each byte moves
 * once or twice, however small the pieces are that they come in.
 */
class Window {
  #bytes = new Uint8Array(0)
  #start = 0
  #end = 0

  get rest (): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  add (piece: Uint8Array): void {
    if (this.#end + piece.byteLength > this.#bytes.byteLength) {
      this.#makeRoom(piece.byteLength)
    }

    this.#bytes.set(piece, this.#end)
    this.#end += piece.byteLength
  }

  take (count: number): void {
    this.#start += count
  }

  #makeRoom (length: number): void {
    const { rest } = this
    const wanted = 2 * (rest.byteLength + length)
    // a set within one array works as if there were two
    this.#bytes = wanted > this.#bytes.byteLength ? new Uint8Array(wanted) : this.#bytes
    this.#bytes.set(rest)
    this.#start = 0
    this.#end = rest.byteLength
  }
}

function readCarHead (bytes: Uint8Array, at: number): Section | undefined {
  return readHead(bytes, at, 0) ?? readHeadOfVersion0(bytes, at, 0)
}
