import { InvalidNodeError } from '../errors.ts'
import { dagCborCode } from './cid.ts'
import { Cursor } from './cursor.ts'
import { encode } from './encode.ts'
import { maxWidth } from './limits.ts'
import type { Block, Part } from './schema.ts'

/**
 * Encodes an index block of a file: `[[length, link], ...]`, IPLD's Flexible Byte Layout.
 */
export function encodeParts (parts: readonly Part[]): Uint8Array {
  if (!Number.isSafeInteger(sumOfLengths(parts))) {
    throw new InvalidNodeError('a file is longer than 2^53-1 bytes')
  }

  return encode(parts.map(({ length, link }) => [length, link]))
}

export function sumOfLengths (parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/**
 * Decodes an index block of a file.
 *
 * @throws {InvalidNodeError} where it is not a canonical index
 */
export function decodeParts ({ cid, bytes }: Block): Part[] {
  const cursor = new Cursor(bytes, cid)

  if (cid.code !== dagCborCode) {
    cursor.fail("a file's index is a dag-cbor block")
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

  if (parts.some(({ link }) => link.code !== parts[0].link.code)) {
    cursor.fail("a file's index mixes levels")
  }

  if (!Number.isSafeInteger(sumOfLengths(parts))) {
    cursor.fail('the lengths add up to more than 2^53-1')
  }

  return parts
}

function readPart (cursor: Cursor): Part {
  if (cursor.list('a part') !== 2) {
    cursor.fail('a part must have two items')
  }

  const part = { length: cursor.unsigned('a length'), link: cursor.link('a part') }

  if (part.length === 0) {
    cursor.fail('a part has no bytes')
  }

  return part
}
