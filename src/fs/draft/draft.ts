import { FileSystemError } from '../../errors.ts'
import { locate } from '../../tree/index.ts'
import { DraftDirectory, bytesBelow } from './directory.ts'
import { storeEdits } from './store-edits.ts'
import { withStoredFiles } from './stored-files.ts'
import type { DraftAttempt } from './attempt.ts'
import type { Change, StoredDraftFile } from './directory.ts'
import type { DraftFile } from './file.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { LimitOptions } from '../../budget.ts'
import type { Attributes, FileEntry, SymlinkEntry, Time } from '../../codec/index.ts'
import type { DirectoryRoot } from '../../directory/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeDirectory, TreeNode } from '../../tree/index.ts'
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

export interface BaseRoot {
  readonly cid: CID
  readonly size: number
}

/** A stored directory, and the open files below. */
export interface StoredEdits {
  readonly root: DirectoryRoot
  readonly files: readonly StoredDraftFile[]
}

/**
 * The edits over a root that are not committed. Held in memory up to a budget; over it, the subtrees that were touched
 * least recently are stored. One that changes again leaves unreachable blocks, never another root.
 *
 * Whoever edits must be the only one to do so until the promise that he got is settled; an edit without a promise is
 * done at once.
 */
export class Draft {
  readonly #context: DraftContext
  /** The directories of the draft, least recently touched first. Whoever touches one touches those above it before. */
  readonly #recent = new Set<DraftDirectory>()
  #root: DraftDirectory
  /** The directory that was touched last */
  #latest: DraftDirectory | undefined
  #attempt: DraftAttempt | undefined

  private constructor (context: DraftContext, root: DraftDirectory) {
    this.#context = context
    this.#root = root
    this.#adopt(root)
  }

  /** A directory over what it was stored as, and the files in it that go on. */
  static async #over (context: DraftContext, base: BaseRoot, files: readonly StoredDraftFile[], options: AbortOptions): Promise<DraftDirectory> {
    const draft = Draft.over(context, base)
    await draft.reattach(files, options)

    return draft.root
  }

  /** A draft without edits, over a stored root or over nothing. */
  static over (context: DraftContext, base?: BaseRoot): Draft {
    const root = new DraftDirectory(context.blocks, { name: '', base })

    return new Draft(context, root)
  }

  get root (): DraftDirectory {
    return this.#root
  }

  /** Writes the blocks of the draft's content. */
  get writer (): BlockWriter {
    return this.#context.writer
  }

  /** Bytes of memory that the edits hold, but for the content of open files. */
  get heldBytes (): number {
    return this.#root.heldBytes
  }

  /** Opens the last directory of a way that was followed from the root just now, for edits. */
  open (way: readonly TreeDirectory[]): DraftDirectory {
    let directory = this.#root

    for (let depth = 1; depth < way.length; depth++) {
      const { name } = way[depth]
      const change = directory.changes.get(name)
      directory = change instanceof DraftDirectory ? change : this.#openStored(directory, name, way[depth])
    }

    this.#use(directory)

    return directory
  }

  /**
   * Changes a name of a directory that was opened, from what it stands for now.
   */
  set (directory: DraftDirectory, name: string, change: Change, before: TreeNode | undefined): void {
    const earlier = directory.changes.get(name)
    const bytesBefore = bytesBelow(before)
    this.#attempt?.record(directory, name, earlier, bytesBefore)
    directory.set(name, change, bytesBefore)

    if (earlier instanceof DraftDirectory && earlier !== change) {
      this.#forget(earlier)
    }

    if (change instanceof DraftDirectory) {
      this.#adopt(change)
    }
  }

  setAttributes (directory: DraftDirectory, attributes: Attributes | undefined): void {
    this.#attempt?.recordAttributes(directory)
    directory.attributes = attributes
  }

  /** Records the time at which a directory's entries changed, where there is one. The root has no attributes. */
  touch (directory: DraftDirectory, mtime: Time | undefined): void {
    if (mtime !== undefined && directory.parent !== undefined) {
      this.setAttributes(directory, { ...directory.attributes, mtime })
    }
  }

  /** An empty directory that is to be put somewhere. */
  newDirectory (name: string, attributes?: Attributes): DraftDirectory {
    const directory = new DraftDirectory(this.#context.blocks, { name, attributes })
    this.#attempt?.made(directory)

    return directory
  }

  #openStored (parent: DraftDirectory, name: string, { cid, size, attributes }: TreeDirectory): DraftDirectory {
    const child = new DraftDirectory(this.#context.blocks, { name, base: cid === undefined ? undefined : { cid, size }, attributes })
    this.#attempt?.record(parent, name, parent.changes.get(name), size)
    parent.set(name, child, size)
    this.#recent.add(child)
    this.#attempt?.made(child)

    return child
  }

  /**
   * Sets a file or link, in the place of a file or link that is there. Directories on the way are made as needed.
   *
   * @throws {FileSystemError} EISDIR where a directory is there, ENOTDIR where a part of the way is none
   */
  setEntry (place: EntryPlace, entry: FileEntry | SymlinkEntry, options: AbortOptions): Promise<void> | undefined {
    const parent = this.#openNames(place, place.names.length - 1, 'ENOTDIR', options)

    if (!(parent instanceof DraftDirectory)) {
      return this.#setLater(place, parent, entry, options)
    }

    const known = parent.known(entry.name)

    return known === undefined ? this.#setLater(place, parent, entry, options) : this.#setOver(place, parent, entry, known ?? undefined)
  }

  async #setLater (place: EntryPlace, opening: DraftDirectory | Promise<DraftDirectory>, entry: FileEntry | SymlinkEntry, options: AbortOptions): Promise<void> {
    const parent = await opening
    this.#setOver(place, parent, entry, await parent.find(entry.name, options))
  }

  #setOver (place: EntryPlace, parent: DraftDirectory, entry: FileEntry | SymlinkEntry, before: TreeNode | undefined): undefined {
    if (before?.kind === 'directory') {
      throw new FileSystemError('EISDIR', 'add', place.path)
    }

    this.set(parent, entry.name, entry, before)
  }

  /**
   * Removes whatever is there.
   *
   * @throws {FileSystemError} ENOTDIR where a part of the way is no directory
   */
  async removeEntry (place: EntryPlace, options: AbortOptions): Promise<void> {
    const name = place.names.at(-1)

    if (name === undefined) {
      throw new FileSystemError('EBUSY', 'rm', place.path)
    }

    const parent = await this.#openNames(place, place.names.length - 1, 'ENOTDIR', options)
    const before = await parent.find(name, options)

    if (before !== undefined) {
      this.set(parent, name, null, before)
    }
  }

  /**
   * Makes a directory where there is none, and gives it attributes where some are given, or takes those that it has where it
   * is to have none: null.
   *
   * @throws {FileSystemError} EEXIST where something else is there, ENOTDIR where a part of the way is none
   */
  async setDirectory (place: EntryPlace, attributes: Attributes | null | undefined, options: AbortOptions): Promise<void> {
    const directory = await this.#openNames(place, place.names.length, 'EEXIST', options)

    if (attributes !== undefined) {
      this.setAttributes(directory, attributes ?? undefined)
    }
  }

  /** Opens a directory for edits; those on the way that are missing are made. At once, where nothing has to be read. */
  #openNames (place: EntryPlace, depth: number, code: 'EEXIST' | 'ENOTDIR', options: AbortOptions): DraftDirectory | Promise<DraftDirectory> {
    let directory = this.#root

    for (let i = 0; i < depth; i++) {
      const change = directory.changes.get(place.names[i])

      if (!(change instanceof DraftDirectory)) {
        return this.#openMissing(place, i, depth, directory, code, options)
      }

      directory = change
    }

    this.#use(directory)

    return directory
  }

  async #openMissing (place: EntryPlace, start: number, depth: number, from: DraftDirectory, code: 'EEXIST' | 'ENOTDIR', options: AbortOptions): Promise<DraftDirectory> {
    let directory = from

    for (let i = start; i < depth; i++) {
      const name = place.names[i]
      const before = await directory.find(name, options)

      if (before !== undefined && before.kind !== 'directory') {
        throw new FileSystemError(i === depth - 1 ? code : 'ENOTDIR', 'add', place.path)
      }

      directory = this.#openChild(directory, name, before)
    }

    this.#use(directory)

    return directory
  }

  #openChild (parent: DraftDirectory, name: string, before: TreeDirectory | undefined): DraftDirectory {
    if (before === undefined) {
      const child = this.newDirectory(name)
      this.set(parent, name, child, undefined)

      return child
    }

    return before instanceof DraftDirectory ? before : this.#openStored(parent, name, before)
  }

  #use (directory: DraftDirectory): void {
    // edits often come directory by directory
    if (directory !== this.#latest) {
      this.#refresh(directory)
      this.#latest = directory
    }
  }

  #refresh (directory: DraftDirectory): void {
    if (directory.parent !== undefined) {
      this.#refresh(directory.parent)
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

  #forget (directory: DraftDirectory): void {
    this.#recent.delete(directory)

    if (directory === this.#latest) {
      this.#latest = undefined
    }

    for (const change of directory.changes.values()) {
      if (change instanceof DraftDirectory) {
        this.#forget(change)
      }
    }
  }

  /** Makes a file a part of the draft where a path leads, unless something else came to be there than `isExpected` knows. */
  async attach (file: DraftFile, path: string, isExpected: (node: TreeNode | undefined) => boolean, options: AbortOptions): Promise<void> {
    const { way, name, node } = await locate(this.#root, path, 'open', { ...options, keepLink: true })

    if (name !== undefined && isExpected(node)) {
      this.set(this.open(way), name, file, node)
    }
  }

  /**
   * Whether there is something to spill: the draft is over its budget, or holds more bytes than it may of directories that
   * the last edit was not below. Edits in the order of a walk do not come back to those.
   */
  holdsTooMuch (maxFinishedBytes = this.#context.budgetBytes): boolean {
    return this.heldBytes > this.#context.budgetBytes || (this.heldBytes > maxFinishedBytes && this.#hasFinished)
  }

  /** Stores subtrees, those that were touched least recently first, as long as it holds too much. */
  async spill (options: AbortOptions, maxFinishedBytes?: number): Promise<void> {
    // those that were opened again for the files in them come behind
    for (let left = this.#recent.size; left > 0 && this.holdsTooMuch(maxFinishedBytes); left--) {
      this.#attempt?.freeze(this.#root)
      // the root comes first where all other directories were touched with it, or there are none
      const [directory] = this.#recent
      await this.#spill(directory, options)
    }
  }

  /** Whether what was touched least recently is not on the way to what was touched last. */
  get #hasFinished (): boolean {
    const [oldest] = this.#recent

    for (let directory = this.#latest; directory !== undefined; directory = directory.parent) {
      if (directory === oldest) {
        return false
      }
    }

    return this.#latest !== undefined
  }

  /** Stores all edits, and goes on over what they were stored as. */
  async settle (options: AbortOptions): Promise<BaseRoot> {
    this.#attempt?.freeze(this.#root)

    return this.#spill(this.#root, options)
  }

  async #spill (directory: DraftDirectory, options: AbortOptions): Promise<BaseRoot> {
    const { root, files } = await this.#store(directory, options)
    const stored = await Draft.#over(this.#context, root, files, options)
    // from here on in one turn: no path leads to what is stored of a file that has changed since
    const { name, parent, attributes } = directory

    if (parent === undefined) {
      this.#recent.clear()
      this.#latest = undefined
      this.#root = stored
      this.#adopt(stored)

      return root
    }

    this.#forget(directory)

    if (stored.changes.size === 0) {
      parent.set(name, { name, kind: 'directory', content: root.cid, size: root.size, attributes }, directory.size)
    } else {
      stored.attributes = attributes
      parent.set(name, stored, directory.size)
      this.#adopt(stored)
    }

    return root
  }

  /** Stores all edits and returns the new root. Where it fails, the draft is as it was. */
  async store (options: LimitOptions): Promise<StoredEdits> {
    return this.#store(this.#root, options)
  }

  async #store (directory: DraftDirectory, { signal, limits }: LimitOptions): Promise<StoredEdits> {
    const files: StoredDraftFile[] = []
    const entries = await withStoredFiles(directory.files(), async entries => entries, { signal, limits })
    const root = await storeEdits(this.#context, directory.edit(entries, file => files.push(file)), { signal })

    return { root, files }
  }

  /**
   * Puts the files into it that were in another draft when that was stored as what this one stands over, and are open or have
   * changed since. Where it fails, they are where they were.
   */
  async reattach (files: readonly StoredDraftFile[], options: AbortOptions): Promise<void> {
    const parents = files.map(({ file }) => file.parent)

    try {
      for (const { file, entry, path } of files) {
        if (file.isOpen || file.isEdited || file.entry !== entry) {
          await this.attach(file, path, () => true, options)
        } else {
          file.parent = undefined
        }
      }
    } catch (err) {
      files.forEach(({ file }, i) => { file.parent = parents[i] })
      throw err
    }
  }

  /** Does edits that are all kept or, where it fails, none of them: a new attempt takes them back. */
  async attempt <T> (attempt: DraftAttempt, edit: () => Promise<T>): Promise<T> {
    this.#attempt = attempt

    try {
      return await edit()
    } catch (err) {
      this.#root = attempt.rollBack(this.#root)
      this.#recent.clear()
      this.#latest = undefined
      this.#adopt(this.#root)
      throw err
    } finally {
      this.#attempt = undefined
    }
  }
}
