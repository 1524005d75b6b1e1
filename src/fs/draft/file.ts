import pLimit from 'p-limit'
import { throwIfAborted } from '../../abort.ts'
import { areEqualEntries } from '../../codec/index.ts'
import { FileSystemError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import { Stats } from '../node-api/stats.ts'
import { DraftContent } from './content.ts'
import type { ContentContext } from './content.ts'
import type { LimitOptions } from '../../budget.ts'
import type { Attributes, Content, FileEntry, Time } from '../../codec/index.ts'
import type { StoredFile } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { EditedFile, TreeNode } from '../../tree/index.ts'
import type { FileVersion, OpenFile } from '../handle/open-file.ts'

/** What open files need of the filesystem that they are in. */
export interface FileContext extends ContentContext {
  /** Tells how many bytes of memory a file's edits hold more */
  hold(file: DraftFile, bytes: number): void
  /** The time to record for a change; undefined where none is recorded */
  now(): Time | undefined
  /** Makes a file that is to change, and has a name still, a part of the draft */
  attach(file: DraftFile, options: AbortOptions): Promise<void>
  /** Frees memory where edits hold more than they may */
  relieve(options: AbortOptions): Promise<void>
  /** The file is not what it was */
  changed(file: DraftFile): void
  /** The file was opened, once more or for the first time */
  opened(file: DraftFile): void
  /** The file was released for the last time, by whoever edits the draft or by others */
  closed(file: DraftFile, options: LimitOptions, isEditing: boolean): Promise<void>
}

/** A directory that a file is in. */
export interface FilePlace {
  readonly name: string
  readonly parent: FilePlace | undefined
  /** Counts bytes of files that came to be below */
  grow(bytes: number): void
}

/**
 * A file that is open or has edits that are not stored: what an inode is elsewhere. All handles of a file, and what
 * happens to it by its path, share one. It goes where it is renamed to; removed, it lives on until it is released.
 */
export class DraftFile implements OpenFile, EditedFile {
  readonly kind = 'file'
  name: string
  /** The directory of the draft that it is in; undefined while it does not differ from what is stored, and once it is removed */
  parent: FilePlace | undefined
  readonly #context: FileContext
  readonly #content: DraftContent
  /** One change at a time */
  readonly #exclusively = pLimit(1)
  /** What the file was when it was stored last */
  #entry: FileEntry
  #attributes: Attributes | undefined
  #opened = 0

  constructor (context: FileContext, entry: FileEntry) {
    this.#context = context
    this.#content = new DraftContent(context, entry, bytes => { context.hold(this, bytes) }, bytes => { this.parent?.grow(bytes) })
    this.#entry = entry
    this.#attributes = entry.attributes
    this.name = entry.name
  }

  get size (): number {
    return this.#content.size
  }

  get attributes (): Attributes | undefined {
    return this.#attributes
  }

  get content (): Content | undefined {
    return this.#content.isEdited ? undefined : this.#content.stored.content
  }

  get isOpen (): boolean {
    return this.#opened > 0
  }

  /** What the file was when it was stored last. Another object in the same turn in which it differs. */
  get entry (): FileEntry {
    const { content, size } = this.#content.stored
    const attributes = this.#attributes

    if (this.#entry.content !== content || this.#entry.size !== size || this.#entry.attributes !== attributes) {
      // what was stored is an entry where the file was opened: what else that records is not to come along
      this.#entry = { name: this.name, kind: 'file', content, size, ...(attributes === undefined ? {} : { attributes }) }
    }

    return this.#entry
  }

  /** Whether there is anything that is not stored. */
  get isEdited (): boolean {
    return this.#content.isEdited
  }

  /** What is stored of it, and of versions that are being read, in a tree or not. */
  contents (): Iterable<Content> {
    return this.#content.contents()
  }

  open (): this {
    this.#opened++
    this.#context.opened(this)

    return this
  }

  read (offset: number, length: number, options: AbortOptions): AsyncGenerator<Uint8Array> {
    return this.#content.read(offset, length, options)
  }

  version (): FileVersion {
    return this.#content.version()
  }

  async write (position: number | 'end', bytes: Uint8Array, options: AbortOptions): Promise<number> {
    if (bytes.byteLength === 0) {
      return position === 'end' ? this.size : position
    }

    const own = new Uint8Array(bytes)
    const end = await this.#change(options, async () => {
      const start = position === 'end' ? this.size : position
      this.#checkSize(start + own.byteLength, 'write')
      await this.#content.write(start, own, options)

      return start + own.byteLength
    })
    await this.#context.relieve(options)

    return end
  }

  async truncate (length: number, options: AbortOptions): Promise<void> {
    await this.#change(options, async () => {
      this.#checkSize(length, 'ftruncate')
      await this.#content.truncate(length, options)
    })
    await this.#context.relieve(options)
  }

  /** Replaces all bytes by content that is stored. */
  async take (stored: StoredFile, options: AbortOptions): Promise<void> {
    await this.#change(options, async () => {
      this.#content.replace(stored)
    })
  }

  /** Becomes a copy of another file, all that is recorded of that included. */
  async become ({ content, size, attributes }: FileEntry, options: AbortOptions): Promise<void> {
    await this.#change(options, async () => {
      this.#content.replace({ content, size })
      this.#attributes = attributes
    }, false)
  }

  async setAttributes (change: { mode?: number, mtime?: Time }, options: AbortOptions): Promise<void> {
    await this.#change(options, async () => {
      this.#attributes = { ...this.#attributes, ...change }
    }, false)
  }

  #checkSize (size: number, syscall: string): void {
    if (!Number.isSafeInteger(size)) {
      throw new FileSystemError('EFBIG', syscall)
    }
  }

  /** Changes it for whoever has it open. */
  async #change <T> (options: AbortOptions, change: () => Promise<T>, changesTime = true): Promise<T> {
    if (this.parent === undefined) {
      await this.#context.attach(this, options)
    }

    return this.#exclusively(async () => {
      throwIfAborted(options.signal)
      const result = await change()

      if (changesTime) {
        this.#attributes = writtenAttributes(this.#attributes, this.#context.now())
      }

      this.#context.changed(this)

      return result
    })
  }

  async stat (): Promise<Stats> {
    const { content } = this

    return new Stats({ kind: 'file', size: this.size, attributes: this.#attributes, ...(content instanceof Uint8Array ? {} : { cid: content }) })
  }

  /** Puts what is held in memory, whose place is then free. */
  async putChunks (options: AbortOptions): Promise<void> {
    await this.#exclusively(async () => this.#content.putChunks(options))
  }

  async sync (options: LimitOptions): Promise<void> {
    await this.store(options)
  }

  /** Stores what is not stored. */
  async store (options: LimitOptions): Promise<void> {
    await this.#exclusively(async () => this.#store(options))
  }

  async #store (options: LimitOptions): Promise<void> {
    if (this.isEdited) {
      await this.#content.store(options, pathOf(this))
    }
  }

  /** Stores what is not stored, and then does something while nothing changes the file. Whoever does so for several edits the draft. */
  async whileStored <T> (work: (entry: FileEntry) => Promise<T>, options: LimitOptions): Promise<T> {
    return this.#exclusively(async () => {
      await this.#store(options)

      return work(this.entry)
    })
  }

  async release (options: LimitOptions, isEditing = false): Promise<void> {
    this.#opened--

    if (this.#opened === 0) {
      await this.#context.closed(this, options, isEditing)
    }
  }
}

/** The path of a file that is in the draft; the name alone of one that was removed. */
export function pathOf (file: Pick<FilePlace, 'name' | 'parent'>): string {
  let path = file.name

  for (let directory = file.parent; directory !== undefined; directory = directory.parent) {
    path = joinPath(directory.name, path)
  }

  return path
}

/** Whether something is a file as an entry has it, whatever its name. */
export function isStoredAs (entry: FileEntry, node: TreeNode | undefined): boolean {
  return node?.kind === 'file' && node.content !== undefined && areEqualEntries(entry, { ...node, content: node.content, name: entry.name })
}

/**
 * What a file records after its content was written. The time of what was there before is not that of what is there now:
 * without another, none is recorded.
 */
export function writtenAttributes ({ mtime: _, ...others }: Attributes = {}, mtime?: Time): Attributes | undefined {
  const attributes = mtime === undefined ? others : { ...others, mtime }

  return Object.keys(attributes).length === 0 ? undefined : attributes
}
