import { concat } from '../../bytes.ts'
import { LimitExceededError } from '../../errors.ts'
import { maxBlockBytes } from '../format/section.ts'

/**
 * A block's bytes as one.
 *
 * @throws {LimitExceededError} where there are more than a block may have
 */
export async function collectBytes (source: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (source instanceof Uint8Array) {
    return source
  }

  const parts: Uint8Array[] = []
  let size = 0

  for await (const part of source) {
    size += part.byteLength

    if (size > maxBlockBytes) {
      throw new LimitExceededError(`a block is larger than ${maxBlockBytes} bytes`)
    }

    parts.push(part)
  }

  return parts.length === 1 ? parts[0] : concat(parts)
}
