import { mapAhead } from '../../concurrency.ts'
import { readFile } from '../../file/index.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { Part } from '../../codec/index.ts'
import type { StoredFile } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'

/** The bytes of a file with edits, as they are at one time. */
export interface ContentState {
  readonly blocks: BlockReader
  readonly chunkBytes: number
  readonly stored: StoredFile
  /** How many chunks of the stored file stand where there is no edit */
  readonly kept: number
  /** Chunks by their number: in memory, or put already */
  readonly edits: ReadonlyMap<number, Uint8Array | Part>
}

// looked at one by one before they are read; the size of a file is a claim
const maxRunChunks = 4_096
/** As many chunks as a file that is written anew has in work */
export const chunksInWork = 4

/** Reads the bytes from one position to another, which the file has. */
export async function * readContent (state: ContentState, start: number, end: number, options: ReadOptions): AsyncGenerator<Uint8Array> {
  for (let position = start; position < end;) {
    const run = runEnd(state, position, end)
    yield * readRun(state, position, run, options)
    position = run
  }
}

/** Where what begins at a position ends: a chunk in memory, a hole's chunk, or some chunks that are stored alike. */
function runEnd (state: ContentState, position: number, end: number): number {
  const { chunkBytes } = state
  const first = Math.floor(position / chunkBytes)
  const form = formOf(state, first)
  let index = first + 1

  if (form !== 'here') {
    while (index - first < maxRunChunks && index * chunkBytes < end && formOf(state, index) === form) {
      index++
    }
  }

  return Math.min(end, index * chunkBytes)
}

function formOf ({ edits, kept }: ContentState, index: number): 'here' | 'put' | 'stored' {
  const edit = edits.get(index)

  if (edit === undefined) {
    return index < kept ? 'stored' : 'here'
  }

  return edit instanceof Uint8Array ? 'here' : 'put'
}

async function * readRun (state: ContentState, position: number, end: number, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const { blocks, chunkBytes, stored, kept, edits } = state
  const index = Math.floor(position / chunkBytes)
  const start = index * chunkBytes
  const edit = edits.get(index)

  if (edit instanceof Uint8Array) {
    // a copy: a later write goes into the same bytes
    yield edit.slice(position - start, end - start)
  } else if (edit !== undefined) {
    yield * readPut(state, position, end, options)
  } else if (index < kept) {
    yield * readFile(blocks, stored, position, end - position, options)
  } else {
    yield new Uint8Array(end - position)
  }
}

async function * readPut ({ blocks, chunkBytes, edits }: ContentState, position: number, end: number, { signal }: AbortOptions): AsyncGenerator<Uint8Array> {
  const parts: Array<Part & { start: number }> = []

  for (let index = Math.floor(position / chunkBytes); index * chunkBytes < end; index++) {
    const edit = edits.get(index)

    if (edit !== undefined && !(edit instanceof Uint8Array)) {
      parts.push({ ...edit, start: index * chunkBytes })
    }
  }

  yield * mapAhead(parts, chunksInWork, async ({ link, start }) => {
    const { bytes } = await blocks.get(link, { signal })

    return bytes.subarray(Math.max(0, position - start), end - start)
  })
}
