import { cidOf, rawCode } from '../codec/index.ts'
import { isOneChunk, writeFile } from './write.ts'
import type { FileLayout } from './layout.ts'
import type { StoredFile } from './write.ts'
import type { Block } from '../codec/index.ts'

const pageBytes = 65_536
let page = new Uint8Array(0)

/** Bytes whose sha2-256 is known. Whoever gives them vouches for it. */
export interface HashedBytes {
  readonly bytes: Uint8Array
  readonly digest: Uint8Array
}

/**
 * Stores bytes that are hashed already: at once, where `put` answers without a promise. What it keeps of them is a copy.
 */
export function writeHashed (put: (block: Block) => Promise<void> | undefined, { bytes, digest }: HashedBytes, layout: FileLayout): StoredFile | Promise<StoredFile> {
  const size = bytes.byteLength

  if (!isOneChunk(bytes, layout)) {
    return writeFile(async block => put(block), bytes, layout)
  }

  if (size <= layout.inlineBytes) {
    return { content: copySmall(bytes), size }
  }

  const stored = { content: cidOf(rawCode, digest), size }

  return put({ cid: stored.content, bytes })?.then(() => stored) ?? stored
}

/**
 * A copy of few bytes, in a page that it shares with others: an allocation for each takes longer than to copy them.
 */
function copySmall (bytes: Uint8Array): Uint8Array {
  if (page.byteLength < bytes.byteLength) {
    page = new Uint8Array(Math.max(pageBytes, bytes.byteLength))
  }

  const copy = page.subarray(0, bytes.byteLength)
  copy.set(bytes)
  page = page.subarray(bytes.byteLength)

  return copy
}
