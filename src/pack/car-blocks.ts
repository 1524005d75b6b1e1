import { CorruptStoreError, LimitExceededError } from '../errors.ts'
import { pace } from '../pace.ts'
import { cidOf, maxBlockBytes, maxHeadBytes, readHead, readVarint } from './section.ts'
import type { PackBlock } from './gc.ts'
import type { AbortOptions } from '../options.ts'

export const maxHeaderBytes = 2 ** 20

const maxVarintBytes = 9

/**
 * The blocks of a CAR with CIDs of version 1 and sha2-256, as they come; whoever takes one checks it.
 *
 * @throws {CorruptStoreError} where the bytes are no such CAR
 * @throws {LimitExceededError} where its header is larger than 1 MiB
 */
export async function * carBlocks (source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, options: AbortOptions = {}): AsyncGenerator<PackBlock> {
  let rest = Buffer.alloc(0)
  let isHeaderRead = false

  for await (const bytes of source) {
    await pace(options)
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

    for (let section = readHead(rest, at, 0); section !== undefined; section = readHead(rest, at, 0)) {
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

  if (rest.byteLength > 0) {
    throw new CorruptStoreError('the CAR ends within a block, or has one that is not of sha2-256')
  }
}
