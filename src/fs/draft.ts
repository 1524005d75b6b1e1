import { NewBlocks } from '../blockstore/index.ts'
import { FileSystemError } from '../errors.ts'
import { DraftDirectory, heldBytes } from './draft-directory.ts'
import { storeEdits } from './store-edits.ts'
import type { BlockReader, BlockWriter } from '../blockstore/index.ts'
import type { Attributes, FileEntry, SymlinkEntry } from '../codec/index.ts'
import type { DirectoryRoot } from '../directory/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/** What a draft needs to read what it stands over, and to store what outgrows it. */
export interface DraftContext {
  readonly blocks: BlockReader
  readonly writer: BlockWriter
  /** Bytes of memory that a draft may hold */
  readonly budgetBytes: number
}

/** The way to an entry: the names from the root, and the path as it was given, for errors. */
export interface EntryPlace {
  readonly names: readonly string[]
  readonly path: string
}

interface BaseRoot {
  readonly cid: CID
  readonly size: number
}

/**
 * The edits over a root that are not committed. Held in memory up to a budget; over it, the subtrees that were touched
 * least recently are stored. One that changes again leaves unreachable blocks, never another root.
 */
export class Draft {
  readonly #context: DraftContext
  /** The directories of the draft, least recently touched first. Whoever touches one touches those above it before. */
  readonly #recent = new Set<DraftDirectory>()
  #root: DraftDirectory
  /** The directory that was touched last */
  #latest: DraftDirectory | undefined
  #heldBytes: number

  private constructor (context: DraftContext, root: DraftDirectory) {
    this.#context = context
    this.#root = root
    this.#heldBytes = heldBytes(root.name, root)
    this.#adopt(root)
  }

  /** A draft without edits, over a stored root or over nothing. */
  static over (context: DraftContext, base?: BaseRoot): Draft {
    const root = new DraftDirectory(context.blocks, { name: '', base: base?.cid, size: base?.size })

    return new Draft({ ...context, writer: new NewBlocks(context.writer) }, root)
  }

  /** A draft with the same edits, to be tried and thrown away. */
  clone (): Draft {
    return new Draft(this.#context, this.#root.clone())
  }

  get root (): DraftDirectory {
    return this.#root
  }

  /** Writes the blocks of the draft's content. */
  get writer (): BlockWriter {
    return this.#context.writer
  }

  /**
   * Sets a file or link, in the place of a file or link that is there.
   *
   * @throws {FileSystemError} EISDIR where a directory is there, ENOTDIR where a part of the way is none
   */
  async setEntry (place: EntryPlace, entry: FileEntry | SymlinkEntry, options: AbortOptions): Promise<void> {
    const parent = await this.#openParent(place, options)
    const before = await parent.find(entry.name, options)

    if (before?.kind === 'directory') {
      throw new FileSystemError('EISDIR', 'add', place.path)
    }

    this.#heldBytes += parent.set(entry.name, entry, before)
  }

  /**
   * Makes a directory where there is none, and gives it attributes where some are given.
   *
   * @throws {FileSystemError} EEXIST where something else is there, ENOTDIR where a part of the way is none
   */
  async setDirectory (place: EntryPlace, attributes: Attributes | undefined, options: AbortOptions): Promise<void> {
    const directory = await this.#open(place, place.names, 'EEXIST', options)

    if (attributes !== undefined) {
      directory.attributes = attributes
    }
  }

  async #openParent (place: EntryPlace, options: AbortOptions): Promise<DraftDirectory> {
    return this.#open(place, place.names.slice(0, -1), 'ENOTDIR', options)
  }

  /** Opens a directory for edits; those on the way that are missing are made. */
  async #open (place: EntryPlace, names: readonly string[], code: 'EEXIST' | 'ENOTDIR', options: AbortOptions): Promise<DraftDirectory> {
    let directory = this.#root

    for (const [depth, name] of names.entries()) {
      const change = directory.changes.get(name)

      directory = change instanceof DraftDirectory
        ? change
        : await this.#openChild(directory, name, () => {
          throw new FileSystemError(depth === names.length - 1 ? code : 'ENOTDIR', 'add', place.path)
        }, options)
    }

    // entries often come directory by directory
    if (directory !== this.#latest) {
      this.#touch(directory)
      this.#latest = directory
    }

    return directory
  }

  async #openChild (parent: DraftDirectory, name: string, refuse: () => never, options: AbortOptions): Promise<DraftDirectory> {
    const before = await parent.find(name, options)

    if (before !== undefined && before.kind !== 'directory') {
      return refuse()
    }

    const child = new DraftDirectory(this.#context.blocks, { name, parent, base: before?.cid, size: before?.size, attributes: before?.attributes })
    this.#heldBytes += parent.set(name, child, before)

    return child
  }

  #touch (directory: DraftDirectory): void {
    if (directory.parent !== undefined) {
      this.#touch(directory.parent)
    }

    this.#recent.delete(directory)
    this.#recent.add(directory)
  }

  #adopt (directory: DraftDirectory): void {
    this.#recent.add(directory)

    for (const change of directory.changes.values()) {
      if (change instanceof DraftDirectory) {
        this.#adopt(change)
      }
    }
  }

  /** Stores subtrees until the draft is within its budget again. */
  async spill (options: AbortOptions): Promise<void> {
    while (this.#heldBytes > this.#context.budgetBytes) {
      // the root comes first where all other directories were touched with it, or there are none
      const [oldest] = this.#recent
      await this.#store(oldest, options)
    }
  }

  async #store (directory: DraftDirectory, options: AbortOptions): Promise<void> {
    const { name, parent, attributes } = directory
    const { cid, size } = await storeEdits(this.#context, directory, options)
    this.#latest = undefined

    if (parent === undefined) {
      this.#reset({ cid, size })
      return
    }

    this.#forget(directory)
    this.#heldBytes += parent.set(name, { name, kind: 'directory', content: cid, size, attributes }, directory)
  }

  #forget (directory: DraftDirectory): void {
    this.#recent.delete(directory)

    for (const change of directory.changes.values()) {
      if (change instanceof DraftDirectory) {
        this.#forget(change)
      }
    }
  }

  #reset (base: BaseRoot): void {
    this.#recent.clear()
    this.#heldBytes = 0
    this.#root = new DraftDirectory(this.#context.blocks, { name: '', base: base.cid, size: base.size })
    this.#adopt(this.#root)
  }

  /** Stores all edits and answers the new root. Where it fails, the draft is as it was. */
  async store (options: AbortOptions): Promise<DirectoryRoot> {
    return storeEdits(this.#context, this.#root, options)
  }
}
