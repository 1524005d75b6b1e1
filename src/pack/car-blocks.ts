import { CorruptStoreError, LimitExceededError } from '../errors.ts'
import { pace } from '../pace.ts'
import { cidOf, maxBlockBytes, maxHeadBytes, readHead, readHeadOfVersion0, readVarint } from './section.ts'
import type { PackBlock } from './gc.ts'
import type { Section } from './section.ts'
import type { AbortOptions } from '../options.ts'

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
  let rest = Buffer.alloc(0)
  let isHeaderRead = false
  let left = maxBytes

  for await (const bytes of source) {
    await pace({ signal })
    left -= bytes.byteLength

    if (left < 0) {
      throw new LimitExceededError(`a CAR is larger than ${maxBytes} bytes`)
    }

    rest = Buffer.concat([rest, bytes])
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

      yield { cid: cidOf(Uint8Array.from(section.key)), bytes: rest.subarray(section.dataOffset, end) }
      at = end
    }

    rest = rest.subarray(at)

    if (rest.byteLength > maxBlockBytes + maxHeadBytes) {
      break
    }
  }

  if (!isHeaderRead || rest.byteLength > 0) {
    throw new CorruptStoreError('the CAR ends within its header or a block, or has one that is not of sha2-256')
  }
}

function readCarHead (bytes: Uint8Array, at: number): Section | undefined {
  return readHead(bytes, at, 0) ?? readHeadOfVersion0(bytes, at, 0)
}
