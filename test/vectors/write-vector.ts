import { fixedSize, writeFile } from '../../src/file/index.ts'
import { pattern } from './notation.ts'
import type { FileVector } from './notation.ts'
import type { Block, Layout } from '../../src/codec/index.ts'
import type { StoredFile } from '../../src/file/index.ts'

const dagfs1: Layout = { width: 1024, chunkBytes: 2 ** 20, inlineBytes: 2048 }
// not a divisor of any chunk size, so that pieces and chunks meet in every way
const pieceBytes = 777_777

/** Writes the file of a vector; answers what its entry holds and the blocks. */
export async function writeVector ({ bytes, layout: { width, chunkBytes, inlineBytes } = dagfs1 }: FileVector, put: (block: Block) => void): Promise<StoredFile> {
  return writeFile(async block => put(block), pieces(bytes), { chunker: fixedSize(chunkBytes), width, inlineBytes })
}

function * pieces (bytes: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes; start += pieceBytes) {
    yield pattern(Math.min(pieceBytes, bytes - start), start)
  }
}
