import { createBlock, rawCode } from '../codec/index.ts'
import { mapAhead } from '../concurrency.ts'
import { chunks } from './chunker.ts'
import { IndexBuilder } from './index-builder.ts'
import type { FileLayout } from './layout.ts'
import type { Block, Content, Part } from '../codec/index.ts'

/** What a file's entry holds of it. */
export interface StoredFile {
  readonly content: Content
  readonly size: number
}

// enough to keep a slow store busy, few enough that a file costs no more than some MiB of memory
const chunksInWork = 4

/** The bytes of a file, at hand or as a stream. They must not be changed after they were handed over. */
export type FileSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Turns bytes into blocks, which are handed to `put` as they are ready, and returns what the file's entry must hold.
 */
export async function writeFile (put: (block: Block) => Promise<void>, source: FileSource, layout: FileLayout): Promise<StoredFile> {
  if (source instanceof Uint8Array) {
    return isOneChunk(source, layout) ? writeChunk(put, source, layout) : writeFile(put, [source], layout)
  }

  const stream = chunks(source, layout.chunker)

  try {
    const first = await stream.next()

    if (first.done === true) {
      return { content: new Uint8Array(0), size: 0 }
    }

    const second = await stream.next()

    return second.done === true
      ? await writeChunk(put, first.value, layout)
      : await writeChunks(put, resume([first.value, second.value], stream), layout)
  } finally {
    await stream.return(undefined)
  }
}

/** Whether bytes are a whole file of one chunk, or of none. */
export function isOneChunk (bytes: Uint8Array, { chunker }: FileLayout): boolean {
  return bytes.byteLength === 0 || (bytes.byteLength <= chunker.maxChunkBytes && chunker.firstChunkBytes(bytes) === bytes.byteLength)
}

async function writeChunk (put: (block: Block) => Promise<void>, bytes: Uint8Array, { inlineBytes }: FileLayout): Promise<StoredFile> {
  if (bytes.byteLength <= inlineBytes) {
    return { content: bytes, size: bytes.byteLength }
  }

  const { length, link } = await writeLeaf(put, bytes)

  return { content: link, size: length }
}

async function writeChunks (put: (block: Block) => Promise<void>, stream: AsyncIterable<Uint8Array>, { width }: FileLayout): Promise<StoredFile> {
  const index = new IndexBuilder(width, put)

  for await (const part of mapAhead(stream, chunksInWork, async bytes => writeLeaf(put, bytes))) {
    await index.add(part)
  }

  const { length, link } = await index.finish()

  return { content: link, size: length }
}

async function writeLeaf (put: (block: Block) => Promise<void>, bytes: Uint8Array): Promise<Part> {
  const block = await createBlock(rawCode, bytes)
  await put(block)

  return { length: bytes.byteLength, link: block.cid }
}

async function * resume <T> (taken: Iterable<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield * taken
  yield * rest
}
