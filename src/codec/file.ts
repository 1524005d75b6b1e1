import { InvalidNodeError } from '../errors.ts'
import { dagCborCode, isSupportedCid } from './cid.ts'
import { Cursor, major } from './cursor.ts'
import { readNodeKey } from './directory.ts'
import { encode } from './encode.ts'
import { maxWidth } from './limits.ts'
import type { Block, Part } from './schema.ts'

/**
 * Encodes an index block of a file: `[[length, link], ...]`, IPLD's Flexible Byte Layout.
 *
 * @throws {InvalidNodeError} where the index is not one that a reader would accept
 */
export function encodeParts (parts: readonly Part[]): Uint8Array {
  const fault = partsFault(parts)

  if (fault !== undefined) {
    throw new InvalidNodeError(`a file's index cannot be written: ${fault}`)
  }

  return encode(parts.map(({ length, link }) => [length, link]))
}

function partsFault (parts: readonly Part[]): string | undefined {
  if (parts.length < 1 || parts.length > maxWidth) {
    return `it must have 1 to ${maxWidth} parts`
  }

  if (!parts.every(({ length, link }) => Number.isSafeInteger(length) && length >= 1 && isSupportedCid(link))) {
    return 'a part must have at least one byte, and link to a raw or dag-cbor block'
  }

  if (parts.some(({ link }) => link.code !== parts[0].link.code)) {
    return 'it mixes levels'
  }

  if (!Number.isSafeInteger(sumOfLengths(parts))) {
    return 'its lengths add up to more than 2^53-1'
  }
}

export function sumOfLengths (parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/**
 * Decodes an index block of a file.
 *
 * @throws {InvalidNodeError} where it is not a canonical index
 * @throws {UnsupportedVersionError} where it is a node of a kind that this release does not know
 */
export function decodeParts ({ cid, bytes }: Block): Part[] {
  const cursor = new Cursor(bytes, cid)

  if (cid.code !== dagCborCode) {
    cursor.fail("a file's index is a dag-cbor block")
  }

  // nodes of a kind to come have their one key wherever they stand
  if (cursor.peek() === major.map) {
    cursor.fail(`expected a file's index, found ${readNodeKey(cursor, cid)}`)
  }

  const count = cursor.list("a file's index")

  if (count < 1 || count > maxWidth) {
    cursor.fail(`a file's index must have 1 to ${maxWidth} parts`)
  }

  const parts: Part[] = []

  for (let i = 0; i < count; i++) {
    parts.push(readPart(cursor))
  }

  cursor.end()

  const fault = partsFault(parts)

  return fault === undefined ? parts : cursor.fail(`a file's index is invalid: ${fault}`)
}

function readPart (cursor: Cursor): Part {
  if (cursor.list('a part') !== 2) {
    cursor.fail('a part must have two items')
  }

  return { length: cursor.unsigned('a length'), link: cursor.link('a part') }
}
