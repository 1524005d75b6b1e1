import { throwIfAborted } from '../abort.ts'
import { decodeParts, rawCode, sumOfLengths } from '../codec/index.ts'
import { mapAhead } from '../concurrency.ts'
import { InvalidNodeError } from '../errors.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Block, Content, Part } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

// levels of two parts that index the 2^53-1 bytes that a file can have at most, one by one
export const maxIndexLevels = 53
// enough for threads that hash them while the collector, or whoever reads, holds this one for some milliseconds
const leavesAhead = 8

/** A range of bytes in a block: from `start` up to, not including, `end`. */
interface Slice extends Part {
  readonly start: number
  readonly end: number
}

/**
 * Reads a range of a file, fetching only the blocks that hold it. A range that ends after the file is cut to it.
 *
 * @throws {InvalidNodeError} where a block contradicts the length that is claimed for it
 */
export async function * readFile (blocks: BlockReader, file: { content: Content, size: number }, offset: number, length: number, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const { content, size } = file
  const end = Math.min(size, offset + length)

  if (offset >= end) {
    return
  }

  if (content instanceof Uint8Array) {
    // a copy: the entry's bytes may be held in a draft
    yield new Uint8Array(content.subarray(offset, end))
    return
  }

  const root = { length: size, link: content, start: offset, end }

  if (content.code === rawCode) {
    // most files are one chunk, and there is nothing to read ahead
    const bytes = await readLeaf(blocks, root, options)
    throwIfAborted(options.signal)
    yield bytes
    return
  }

  for await (const bytes of mapAhead(leaves(blocks, root, 0, options), leavesAhead, async slice => readLeaf(blocks, slice, options))) {
    // those that are read already are not wanted any more
    throwIfAborted(options.signal)
    yield bytes
  }
}

async function readLeaf (blocks: BlockReader, { link, length, start, end }: Slice, options: ReadOptions): Promise<Uint8Array> {
  const { bytes } = await getBlock(blocks, link, options)

  if (bytes.byteLength !== length) {
    throw new InvalidNodeError(`a chunk has ${bytes.byteLength} bytes, but its index claims ${length}`, { cid: link })
  }

  return bytes.subarray(start, end)
}

async function * leaves (blocks: BlockReader, slice: Slice, depth: number, options: ReadOptions): AsyncGenerator<Slice> {
  if (slice.link.code === rawCode) {
    yield slice
    return
  }

  let start = 0

  for (const part of await readParts(blocks, slice, depth, options)) {
    const end = start + part.length

    if (start < slice.end && end > slice.start) {
      yield * leaves(blocks, { ...part, start: Math.max(0, slice.start - start), end: Math.min(part.length, slice.end - start) }, depth + 1, options)
    }

    start = end
  }
}

/**
 * Reads the parts of an index that stands for `length` bytes, with `depth` indexes above it.
 *
 * @throws {InvalidNodeError} where it contradicts that, or is nested too deep
 */
export async function readParts (blocks: BlockReader, { link, length }: Part, depth: number, options: ReadOptions): Promise<readonly Part[]> {
  const parts = partsOf(await getBlock(blocks, link, options))

  if (sumOfLengths(parts) !== length) {
    throw new InvalidNodeError(`the parts of a file add up to ${sumOfLengths(parts)} bytes, but ${length} are claimed`, { cid: link })
  }

  if (depth >= maxIndexLevels || (depth === 0 && parts.length < 2)) {
    throw new InvalidNodeError(depth === 0 ? "the root of a file's index has one part" : "a file's index is nested too deep", { cid: link })
  }

  return parts
}

async function getBlock (blocks: BlockReader, link: CID, { signal, budget }: ReadOptions): Promise<Block> {
  budget?.spend('blocks', 1)
  const block = await blocks.get(link, { signal })
  budget?.spend('bytes', block.bytes.byteLength)

  return block
}

// whoever reads a file piece by piece gets the same index block each time
const decoded = new WeakMap<Block, readonly Part[]>()

function partsOf (block: Block): readonly Part[] {
  const parts = decoded.get(block) ?? decodeParts(block)
  decoded.set(block, parts)

  return parts
}
