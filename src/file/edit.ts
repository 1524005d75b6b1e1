import { createBlock, dagCborCode, decodeParts, encodeParts, rawCode, sumOfLengths } from '../codec/index.ts'
import type { FileLayout } from './layout.ts'
import type { StoredFile } from './write.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Block, Part } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'

/**
 * What becomes of a stored file's chunks, all of one size but the last.
 */
export interface FileEdit {
  /** Bytes of the file afterwards, more than the layout inlines */
  readonly size: number
  /** Chunks from the first on that stay what they are, where `parts` has no other */
  readonly kept: number
  /** Changed chunks by their index, put already. The last chunk is among them where its length changes */
  readonly parts: ReadonlyMap<number, Part>
  /** What stands for every other chunk: a full one of zeros */
  readonly hole?: Part
}

/**
 * Rebuilds the index of a file around the chunks that changed. Reads and puts only the index blocks above these; the
 * result is that of writing the whole file anew.
 *
 * Returns undefined where the file was not stored in this layout: then nothing of its index can be kept.
 */
export async function editFile (blocks: BlockReader, put: (block: Block) => Promise<void>, old: StoredFile, layout: FileLayout, edit: FileEdit, options: AbortOptions): Promise<StoredFile | undefined> {
  const index = new IndexEdit(blocks, put, old, layout, edit, options)
  const root = await index.root()

  return root === undefined ? undefined : { content: root.link, size: root.length }
}

/**
 * Both indexes, the old and the new one, seen as levels of numbered parts. Part `i` of level `l` stands for the chunks
 * from `i * width ** l`; level 0 are the chunks themselves. So a part is the same in both indexes where its chunks are.
 */
class IndexEdit {
  readonly #blocks: BlockReader
  readonly #put: (block: Block) => Promise<void>
  readonly #old: StoredFile
  readonly #width: number
  readonly #chunkBytes: number
  readonly #edit: FileEdit
  readonly #options: AbortOptions
  /** Indexes of the changed chunks, in order */
  readonly #changed: readonly number[]
  /** The parts of old index blocks, by level and index of the part that stands for the block */
  readonly #oldParts = new Map<string, Promise<readonly Part[] | undefined>>()
  /** Parts of nothing but holes, by level */
  readonly #holes: Array<Promise<Part | undefined> | undefined> = []

  constructor (blocks: BlockReader, put: (block: Block) => Promise<void>, old: StoredFile, { chunker, width }: FileLayout, edit: FileEdit, options: AbortOptions) {
    this.#blocks = blocks
    this.#put = put
    this.#old = old
    this.#width = width
    this.#chunkBytes = chunker.maxChunkBytes
    this.#edit = edit
    this.#options = options
    this.#changed = [...edit.parts.keys()].sort((a, b) => a - b)
  }

  async root (): Promise<Part | undefined> {
    return this.#part(this.#rootLevel(this.#edit.size), 0)
  }

  #chunks (size: number): number {
    return Math.ceil(size / this.#chunkBytes)
  }

  /** The lowest level that has one part. */
  #rootLevel (size: number): number {
    let level = 0

    for (let parts = this.#chunks(size); parts > 1; level++) {
      parts = Math.ceil(parts / this.#width)
    }

    return level
  }

  /** A part of the new index. Undefined where it needs one of the old index that is not of this layout. */
  async #part (level: number, index: number): Promise<Part | undefined> {
    const first = index * this.#width ** level
    const end = first + this.#width ** level

    if (!this.#isChangedIn(first, end)) {
      if (this.#isKept(first, end)) {
        return this.#oldPart(level, index)
      }

      if (first >= this.#edit.kept && end * this.#chunkBytes <= this.#edit.size) {
        this.#holes[level] ??= level === 0 ? Promise.resolve(this.#edit.hole) : this.#build(level, index)

        return this.#holes[level]
      }
    }

    return level === 0 ? this.#edit.parts.get(index) : this.#build(level, index)
  }

  /** Whether all of these chunks that the new file has, and no others, are what they were. */
  #isKept (first: number, end: number): boolean {
    const newEnd = Math.min(end, this.#chunks(this.#edit.size))

    return first < newEnd && newEnd <= this.#edit.kept && newEnd === Math.min(end, this.#chunks(this.#old.size))
  }

  #isChangedIn (first: number, end: number): boolean {
    let low = 0
    let high = this.#changed.length

    while (low < high) {
      const middle = (low + high) >>> 1

      if (this.#changed[middle] < first) {
        low = middle + 1
      } else {
        high = middle
      }
    }

    return low < this.#changed.length && this.#changed[low] < end
  }

  async #build (level: number, index: number): Promise<Part | undefined> {
    const below = Math.ceil(this.#edit.size / (this.#chunkBytes * this.#width ** (level - 1)))
    const first = index * this.#width
    const parts: Part[] = []

    for (let i = first; i < Math.min(first + this.#width, below); i++) {
      const part = await this.#part(level - 1, i)

      if (part === undefined) {
        return
      }

      parts.push(part)
    }

    const block = await createBlock(dagCborCode, encodeParts(parts))
    await this.#put(block)

    return { length: sumOfLengths(parts), link: block.cid }
  }

  async #oldPart (level: number, index: number): Promise<Part | undefined> {
    const { content, size } = this.#old
    const rootLevel = this.#rootLevel(size)

    if (level > rootLevel || content instanceof Uint8Array) {
      return
    }

    const part = level === rootLevel ? { length: size, link: content } : (await this.#partsBelow(level + 1, Math.floor(index / this.#width)))?.[index % this.#width]
    const span = this.#chunkBytes * this.#width ** level
    const isOfLayout = part?.length === Math.min(span, size - index * span) && part.link.code === (level === 0 ? rawCode : dagCborCode)

    return isOfLayout ? part : undefined
  }

  async #partsBelow (level: number, index: number): Promise<readonly Part[] | undefined> {
    const key = `${level} ${index}`
    const known = this.#oldParts.get(key) ?? this.#readParts(level, index)
    this.#oldParts.set(key, known)

    return known
  }

  async #readParts (level: number, index: number): Promise<readonly Part[] | undefined> {
    const part = await this.#oldPart(level, index)

    return part === undefined ? undefined : decodeParts(await this.#blocks.get(part.link, this.#options))
  }
}
