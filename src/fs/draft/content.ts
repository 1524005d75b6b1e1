import { createBlock, rawCode } from '../../codec/index.ts'
import { mapAhead } from '../../concurrency.ts'
import { editFile, readFile, writeFile } from '../../file/index.ts'
import { chunksInWork, readContent } from './read-content.ts'
import type { ContentState } from './read-content.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { LimitOptions, ReadOptions } from '../../budget.ts'
import type { Block, Content, Part } from '../../codec/index.ts'
import type { FileLayout, StoredFile } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { FileVersion } from '../handle/open-file.ts'

/** What the content of open files needs of the filesystem that they are in. */
export interface ContentContext {
  readonly blocks: BlockReader
  /** Writes the blocks of the present draft */
  readonly writer: BlockWriter
  readonly layout: FileLayout
}

/**
 * The bytes of a file with edits that are not stored. Of the stored file only the chunks that an edit touches in part are
 * read; they are held until they are put.
 *
 * ```text
 * stored   [chunk 0][chunk 1][chunk 2][chu]      the first `kept` of them stand
 * edits             [bytes  ]         [put ]     bytes in memory, or a chunk that is put already
 * what is neither is a hole: zeros
 * ```
 */
export class DraftContent {
  readonly #context: ContentContext
  readonly #hold: (bytes: number) => void
  readonly #grow: (bytes: number) => void
  readonly #chunkBytes: number
  #stored: StoredFile
  /** Chunks of the stored file that stand where there is no edit. What stands has the length that the file's size gives */
  #kept: number
  /** Behind the bytes that the file's size gives, a buffer holds zeros */
  readonly #edits = new Map<number, Uint8Array | Part>()
  #isEdited = false
  #size: number
  /** Versions that are being read, and their buffers: a write copies them first */
  readonly #versions = new Set<ContentState>()
  readonly #shared = new Set<Uint8Array>()

  /** `hold` is told how many bytes of memory edits hold more, `grow` by how much the file grows, when it does. */
  constructor (context: ContentContext, stored: StoredFile, hold: (bytes: number) => void, grow: (bytes: number) => void) {
    this.#context = context
    this.#hold = hold
    this.#grow = grow
    this.#chunkBytes = context.layout.chunker.maxChunkBytes
    this.#stored = stored
    this.#size = stored.size
    this.#kept = this.#chunks(stored.size)
  }

  get size (): number {
    return this.#size
  }

  /** Whether there is anything that is not stored. */
  get isEdited (): boolean {
    return this.#isEdited
  }

  /** What was stored last. */
  get stored (): StoredFile {
    return this.#stored
  }

  /** What is stored of the content, and of versions that are being read. */
  * contents (): Generator<Content> {
    for (const { stored, edits } of [this.#state, ...this.#versions]) {
      yield stored.content

      for (const edit of edits.values()) {
        if (!(edit instanceof Uint8Array)) {
          yield edit.link
        }
      }
    }
  }

  /** Reads a range, less where the file ends in it, as it is when the reading begins. */
  async * read (offset: number, length: number, options: ReadOptions): AsyncGenerator<Uint8Array> {
    const version = this.version(offset, length)

    try {
      yield * version.read(offset, length, options)
    } finally {
      version.release()
    }
  }

  /** A range of the bytes as they are now. Until it is released, a write copies the chunks in memory that it has. */
  version (offset = 0, length = Number.POSITIVE_INFINITY): FileVersion {
    const size = this.#size
    const isEdited = this.#isEdited
    const state = { ...this.#state, edits: this.#editsIn(offset, Math.min(size, offset + length)) }
    this.#share(state)

    return {
      size,
      read: (from, count, options) => {
        const end = Math.min(size, from + count)

        return isEdited ? readContent(state, from, end, options) : readFile(state.blocks, state.stored, from, end - from, options)
      },
      release: () => {
        this.#unshare(state)
      }
    }
  }

  get #state (): ContentState {
    return { blocks: this.#context.blocks, chunkBytes: this.#chunkBytes, stored: this.#stored, kept: this.#kept, edits: this.#edits }
  }

  #editsIn (start: number, end: number): Map<number, Uint8Array | Part> {
    const [first, behind] = [Math.floor(start / this.#chunkBytes), this.#chunks(end)]

    // a claimed size may stand for more chunks than can be counted
    if (behind - first > this.#edits.size) {
      return new Map(Array.from(this.#edits).filter(([index]) => index >= first && index < behind))
    }

    const edits = new Map<number, Uint8Array | Part>()

    for (let index = first; index < behind; index++) {
      const edit = this.#edits.get(index)

      if (edit !== undefined) {
        edits.set(index, edit)
      }
    }

    return edits
  }

  #share (version: ContentState): void {
    this.#versions.add(version)

    for (const edit of version.edits.values()) {
      if (edit instanceof Uint8Array) {
        this.#shared.add(edit)
      }
    }
  }

  #unshare (version: ContentState): void {
    this.#versions.delete(version)

    if (this.#versions.size === 0) {
      this.#shared.clear()
    }
  }

  /** A chunk's buffer that nobody reads at this time. */
  #own (index: number, buffer: Uint8Array): Uint8Array {
    if (!this.#shared.has(buffer)) {
      return buffer
    }

    const copy = buffer.slice()
    this.#set(index, copy)

    return copy
  }

  /** Writes bytes, which are there all at once. */
  async write (position: number, bytes: Uint8Array, options: AbortOptions): Promise<void> {
    if (bytes.byteLength === 0) {
      return
    }

    await this.#loadEnds(position, position + bytes.byteLength, options)

    if (position > this.#size) {
      this.#extend(position)
    }

    this.#isEdited = true

    for (let done = 0; done < bytes.byteLength;) {
      const index = Math.floor((position + done) / this.#chunkBytes)
      const from = position + done - index * this.#chunkBytes
      const piece = bytes.subarray(done, done + this.#chunkBytes - from)
      this.#room(index, this.#buffer(index), from + piece.byteLength).set(piece, from)
      done += piece.byteLength
      this.#resize(Math.max(this.#size, position + done))
    }
  }

  /** Makes edits of the chunks that a write leaves in part: those at its ends, and the file's last one before a hole. */
  async #loadEnds (start: number, end: number, options: AbortOptions): Promise<void> {
    const ends = [Math.min(start, this.#size), Math.max(start, end - 1)].map(position => Math.floor(position / this.#chunkBytes))

    for (const index of new Set(ends)) {
      const position = index * this.#chunkBytes
      const length = this.#chunkLength(index)

      if (length > 0 && (start > position || end < position + length)) {
        await this.#load(index, options)
      }
    }
  }

  async truncate (length: number, options: AbortOptions): Promise<void> {
    if (length > this.#size) {
      await this.#loadEnds(length, length, options)
      this.#extend(length)
      return
    }

    if (length === this.#size) {
      return
    }

    const chunks = this.#chunks(length)
    const rest = length % this.#chunkBytes

    if (rest > 0) {
      this.#own(chunks - 1, await this.#load(chunks - 1, options)).fill(0, rest)
    }

    for (const index of this.#edits.keys()) {
      if (index >= chunks) {
        this.#set(index, undefined)
      }
    }

    this.#kept = Math.min(this.#kept, chunks)
    this.#resize(length)
    this.#isEdited = true
  }

  /** Takes other content, which is stored, in the place of all. */
  replace (stored: StoredFile): void {
    for (const index of this.#edits.keys()) {
      this.#set(index, undefined)
    }

    this.#stored = stored
    this.#resize(stored.size)
    this.#kept = this.#chunks(stored.size)
    this.#isEdited = false
  }

  /** Puts the chunks that are held in memory, whose place is then free. */
  async putChunks (options: AbortOptions): Promise<void> {
    if (this.#size <= this.#context.layout.inlineBytes) {
      return
    }

    const held = Array.from(this.#edits).filter((edit): edit is [number, Uint8Array] => edit[1] instanceof Uint8Array)

    // each by itself: where another fails, the store has the bytes of this one, and they must not be written to any more
    const put = mapAhead(held, chunksInWork, async ([index, bytes]) => { this.#set(index, await this.#putChunk(index, bytes, options)) })

    while ((await put.next()).done !== true) {
      // one after the other, some ahead
    }
  }

  async #putChunk (index: number, bytes: Uint8Array, options: AbortOptions): Promise<Part> {
    const length = this.#chunkLength(index)

    try {
      // a store may keep what it is given
      return await this.#put(bytes.byteLength === length ? bytes : bytes.slice(0, length), options)
    } catch (err) {
      // or go on with it after it failed
      this.#set(index, bytes.slice())
      throw err
    }
  }

  async #put (bytes: Uint8Array, options: AbortOptions): Promise<Part> {
    const block = await createBlock(rawCode, bytes)
    await this.#putBlock(block, options)

    return { length: bytes.byteLength, link: block.cid }
  }

  /**
   * Stores what is not stored, as if the whole file were written anew, and returns what its entry must hold.
   * Errors name the path.
   *
   * @throws {LimitExceededError} where the file is not of this layout and has more to read than `limits` allow
   */
  async store ({ signal, limits }: LimitOptions, path: string): Promise<StoredFile> {
    if (this.#isEdited) {
      this.replace(await this.#storeEdited({ signal }) ?? await this.#storeAnew({ signal, limits }, path))
    }

    return this.#stored
  }

  async #storeEdited (options: AbortOptions): Promise<StoredFile | undefined> {
    const { layout, blocks } = this.#context

    if (this.#size > layout.inlineBytes && layout.chunker.isFixed === true) {
      await this.#loadUnlinked(options)
      await this.putChunks(options)
      const edit = { size: this.#size, kept: this.#kept, parts: this.#edits as ReadonlyMap<number, Part>, hole: await this.#hole(options) }

      return editFile(blocks, async block => this.#putBlock(block, options), this.#stored, layout, edit, options)
    }
  }

  // a few hostile blocks can stand for 2^53 bytes
  async #storeAnew ({ signal, limits }: LimitOptions, path: string): Promise<StoredFile> {
    const { Budget, rewriteLimits } = await import('../../budget.ts')
    const budget = Budget.of(limits, rewriteLimits, path)

    return writeFile(async block => this.#putBlock(block, { signal }), this.read(0, this.#size, { signal, budget }), this.#context.layout)
  }

  async #putBlock (block: Block, options: AbortOptions): Promise<void> {
    await this.#context.writer.put(block, options)
  }

  /** Makes edits of the chunks that no index can link to: those of inlined content, and a hole at the end. */
  async #loadUnlinked (options: AbortOptions): Promise<void> {
    const last = this.#chunks(this.#size) - 1

    if (this.#isHole(last)) {
      await this.#load(last, options)
    }

    if (this.#stored.content instanceof Uint8Array) {
      for (let index = 0; index < this.#kept; index++) {
        await this.#load(index, options)
      }
    }
  }

  #isHole (index: number): boolean {
    return index >= this.#kept && !this.#edits.has(index)
  }

  async #hole (options: AbortOptions): Promise<Part | undefined> {
    const edited = Array.from(this.#edits.keys()).filter(index => index >= this.#kept)
    const hasHole = this.#kept + edited.length < this.#chunks(this.#size)

    return hasHole ? this.#put(new Uint8Array(this.#chunkBytes), options) : undefined
  }

  /** Those above count it in the same turn: the file may be removed in the next. */
  #resize (size: number): void {
    const grown = size - this.#size
    this.#size = size
    this.#grow(grown)
  }

  #chunks (size: number): number {
    return Math.ceil(size / this.#chunkBytes)
  }

  #chunkLength (index: number): number {
    return Math.max(0, Math.min(this.#chunkBytes, this.#size - index * this.#chunkBytes))
  }

  /** Adds zeros, once the last chunk is in memory. */
  #extend (size: number): void {
    const last = Math.floor(this.#size / this.#chunkBytes)

    if (this.#size % this.#chunkBytes > 0) {
      this.#room(last, this.#buffer(last), Math.min(this.#chunkBytes, size - last * this.#chunkBytes))
    }

    this.#resize(size)
    this.#isEdited = true
  }

  /** A chunk in memory. */
  async #load (index: number, options: AbortOptions): Promise<Uint8Array> {
    const edit = this.#edits.get(index)

    if (edit instanceof Uint8Array) {
      return edit
    }

    const start = index * this.#chunkBytes
    const buffer = new Uint8Array(this.#chunkLength(index))
    let offset = 0

    for await (const piece of readContent(this.#state, start, start + buffer.byteLength, options)) {
      buffer.set(piece, offset)
      offset += piece.byteLength
    }

    this.#set(index, buffer)

    return buffer
  }

  #buffer (index: number): Uint8Array | undefined {
    const edit = this.#edits.get(index)

    return edit instanceof Uint8Array ? edit : undefined
  }

  /** A buffer for a chunk with at least so many bytes, which can be written to. It grows by half, so that many small writes copy little. */
  #room (index: number, buffer: Uint8Array | undefined, bytes: number): Uint8Array {
    if (buffer !== undefined && buffer.byteLength >= bytes) {
      return this.#own(index, buffer)
    }

    const larger = new Uint8Array(buffer === undefined ? bytes : Math.min(this.#chunkBytes, Math.max(bytes, 2 * buffer.byteLength)))
    larger.set(buffer ?? [])
    this.#set(index, larger)

    return larger
  }

  #set (index: number, edit: Uint8Array | Part | undefined): void {
    const before = this.#edits.get(index)

    if (edit === undefined) {
      this.#edits.delete(index)
    } else {
      this.#edits.set(index, edit)
    }

    this.#hold(heldBytes(edit) - heldBytes(before))
  }
}

function heldBytes (edit: Uint8Array | Part | undefined): number {
  return edit instanceof Uint8Array ? edit.byteLength : 0
}
