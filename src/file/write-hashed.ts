import { BytePages } from '../bytes.ts'
import { cidOf, rawCode } from '../codec/index.ts'
import { isOneChunk, writeFile } from './write.ts'
import type { FileLayout } from './layout.ts'
import type { StoredFile } from './write.ts'
import type { Block } from '../codec/index.ts'

const pages = new BytePages()

/** Bytes whose sha2-256 is known. Whoever gives them vouches for it. */
export interface HashedBytes {
  readonly bytes: Uint8Array
  readonly digest: Uint8Array
}

/**
 * Stores bytes that are hashed already: at once, where `put` returns no promise. What it keeps of them is a copy.
 */
export function writeHashed (put: (block: Block) => Promise<void> | undefined, hashed: HashedBytes, layout: FileLayout): StoredFile | Promise<StoredFile> {
  const { bytes } = hashed
  const size = bytes.byteLength

  if (!isOneChunk(bytes, layout)) {
    return writeFile(async block => put(block), bytes, layout)
  }

  if (size <= layout.inlineBytes) {
    return { content: copySmall(bytes), size }
  }

  const stored = { content: cidOf(rawCode, hashed.digest), size }

  return put({ cid: stored.content, bytes })?.then(() => stored) ?? stored
}

function copySmall (bytes: Uint8Array): Uint8Array {
  const copy = pages.take(bytes.byteLength)
  copy.set(bytes)

  return copy
}
