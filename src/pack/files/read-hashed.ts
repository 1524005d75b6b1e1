import { hash } from 'node:crypto'
import fs from 'node:fs'

/** Bytes with their sha2-256 */
export interface Hashed {
  readonly bytes: Uint8Array
  readonly digest: Uint8Array
}

export function hashed <T extends Uint8Array> (bytes: T): Hashed & { readonly bytes: T } {
  return { bytes, digest: hash('sha256', bytes, 'buffer') }
}

/** Fills the bytes from a file's position on and returns how many there were, fewer only at the end of the file. */
export function readNow (descriptor: number, bytes: Uint8Array, position: number): number {
  let length = 0

  while (length < bytes.byteLength) {
    const count = fs.readSync(descriptor, bytes, length, bytes.byteLength - length, position + length)

    if (count === 0) {
      break
    }

    length += count
  }

  return length
}
