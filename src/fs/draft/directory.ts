import { compareNames } from '../../path.ts'
import { storedDirectory, treeNode } from '../../tree/index.ts'
import { DraftFile } from './file.ts'
import type { StoredFiles } from './stored-files.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { Attributes, Entry, FileEntry } from '../../codec/index.ts'
import type { ListRange, StoredDirectory } from '../../directory/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { DirectoryEdit, DirectoryView, TreeDirectory, TreeNode } from '../../tree/index.ts'
import type { CID } from 'multiformats/cid'

/** What became of a name. */
export type Change = Entry | DraftDirectory | DraftFile | null

/** An open file that is part of a draft that was stored: what of it was, and where. */
export interface StoredDraftFile {
  readonly file: DraftFile
  readonly entry: FileEntry
  readonly path: string
}

// what a change costs in memory beside its name and its inlined bytes
const changeOverheadBytes = 400

/**
 * A directory with edits that are not committed, over the stored directory that it began as. It can be looked into like
 * any other.
 */
export class DraftDirectory implements DirectoryView, TreeDirectory {
  readonly kind = 'directory'
  name: string
  /** The directory of the draft that it is in; undefined for the root, and once it is removed */
  parent: DraftDirectory | undefined
  readonly changes = new Map<string, Change>()
  attributes: Attributes | undefined
  readonly #blocks: BlockReader
  readonly #stored: StoredDirectory | undefined
  #size: number
  #heldBytes = changeOverheadBytes

  constructor (blocks: BlockReader, init: { name: string, base?: StoredDirectory, attributes?: Attributes, parent?: DraftDirectory }) {
    this.#blocks = blocks
    this.name = init.name
    this.#stored = init.base
    this.#size = init.base?.size ?? 0
    this.attributes = init.attributes
    this.parent = init.parent
  }

  /** What is stored, which the changes are over */
  get base (): CID | undefined {
    return this.#stored?.cid
  }

  get view (): DirectoryView {
    return this
  }

  get size (): number {
    return this.#size
  }

  /** Bytes of memory that all below holds, but for the content of open files. */
  get heldBytes (): number {
    return this.#heldBytes
  }

  get cid (): CID | undefined {
    return this.changes.size === 0 ? this.base : undefined
  }

  /** A copy that can be edited on its own. `onFile` is told of open files, which both have then. */
  clone (onFile: (file: DraftFile, copy: DraftDirectory) => void, parent?: DraftDirectory): DraftDirectory {
    const copy = new DraftDirectory(this.#blocks, { name: this.name, base: this.#stored, attributes: this.attributes, parent })
    copy.#size = this.#size
    copy.#heldBytes = this.#heldBytes

    for (const [name, change] of this.changes) {
      copy.changes.set(name, change instanceof DraftDirectory ? change.clone(onFile, copy) : change)

      if (change instanceof DraftFile) {
        onFile(change, copy)
      }
    }

    return copy
  }

  /** A copy, with what is stored of open files in their places. */
  copy (files: StoredFiles): DraftDirectory {
    return this.clone((file, copy) => {
      copy.changes.set(file.name, { ...storedEntry(files, file), name: file.name })
    })
  }

  /** The open files below. */
  * files (): Generator<DraftFile> {
    for (const change of this.changes.values()) {
      if (change instanceof DraftFile) {
        yield change
      } else if (change instanceof DraftDirectory) {
        yield * change.files()
      }
    }
  }

  /** Edits that make a stored directory of this one, of what is stored of open files. `onFile` is told of each, and of its path from here. */
  edit (files: StoredFiles, onFile: (stored: StoredDraftFile) => void, path = ''): DirectoryEdit {
    return { base: this.base, attributes: this.attributes, changes: this.#edits(files, onFile, path) }
  }

  * #edits (files: StoredFiles, onFile: (stored: StoredDraftFile) => void, path: string): Generator<[string, Entry | DirectoryEdit | null]> {
    for (const [name, change] of this.changes) {
      if (change instanceof DraftFile) {
        const entry = storedEntry(files, change)
        onFile({ file: change, entry, path: `${path}/${name}` })
        yield [name, entry.name === name ? entry : { ...entry, name }]
      } else {
        yield [name, change instanceof DraftDirectory ? change.edit(files, onFile, `${path}/${name}`) : change]
      }
    }
  }

  /** What a name is found under where that is known without reading a block; undefined where it is not. */
  known (name: string): TreeNode | null | undefined {
    const change = this.changes.get(name)

    if (change === undefined) {
      return this.#stored === undefined ? null : storedDirectory(this.#blocks, this.#stored).known?.(name)
    }

    return change === null ? null : this.#node(change)
  }

  async find (name: string, options?: AbortOptions): Promise<TreeNode | undefined> {
    const known = this.known(name)

    if (known !== undefined) {
      return known ?? undefined
    }

    return this.#stored === undefined ? undefined : storedDirectory(this.#blocks, this.#stored).find(name, options)
  }

  async * list ({ after, limit = Number.POSITIVE_INFINITY }: ListRange = {}, options?: AbortOptions): AsyncGenerator<TreeNode> {
    let left = limit

    for await (const node of this.#merged(after, options)) {
      if (left-- <= 0) {
        return
      }

      yield node
    }
  }

  async * #merged (after: string | undefined, options?: AbortOptions): AsyncGenerator<TreeNode> {
    // as it is now: what is edited while the listing goes on is not in it
    const changed = Array.from(this.changes)
      .filter(([name]) => after === undefined || compareNames(name, after) > 0)
      .sort(([a], [b]) => compareNames(a, b))
    let next = 0

    if (this.#stored !== undefined) {
      for await (const node of storedDirectory(this.#blocks, this.#stored).list({ after }, options)) {
        for (; next < changed.length && compareNames(changed[next][0], node.name) < 0; next++) {
          yield * this.#present(changed[next][1])
        }

        if (changed[next]?.[0] !== node.name) {
          yield node
        }
      }
    }

    for (; next < changed.length; next++) {
      yield * this.#present(changed[next][1])
    }
  }

  * #present (change: Change): Generator<TreeNode> {
    if (change !== null) {
      yield this.#node(change)
    }
  }

  #node (change: Entry | DraftDirectory | DraftFile): TreeNode {
    return change instanceof DraftDirectory || change instanceof DraftFile ? change : treeNode(this.#blocks, change)
  }

  /**
   * Changes a name, which stood for so many bytes of files until now. Without a change, what is stored stands again.
   */
  set (name: string, change: Change | undefined, bytesBefore: number): void {
    const earlier = this.changes.get(name)

    if (change === undefined || (change === null && this.base === undefined)) {
      this.changes.delete(name)
    } else {
      this.changes.set(name, change)
    }

    this.#leave(earlier)
    this.#enter(name, change)
    this.grow(bytesBelow(change) - bytesBefore, heldBytes(name, this.changes.get(name)) - heldBytes(name, earlier))
  }

  #leave (earlier: Change | undefined): void {
    if ((earlier instanceof DraftDirectory || earlier instanceof DraftFile) && earlier.parent === this) {
      earlier.parent = undefined
    }
  }

  #enter (name: string, change: Change | undefined): void {
    if (change instanceof DraftDirectory || change instanceof DraftFile) {
      change.parent = this
      change.name = name
    }
  }

  /** Counts bytes of files, and of memory, that came to be below. */
  grow (bytes: number, heldBytes = 0): void {
    for (let directory: DraftDirectory | undefined = this; directory !== undefined; directory = directory.parent) {
      directory.#size += bytes
      directory.#heldBytes += heldBytes
    }
  }
}

function storedEntry (files: StoredFiles, file: DraftFile): FileEntry {
  const entry = files.get(file)

  if (entry === undefined) {
    throw new Error('an open file came to be in a draft while that was stored')
  }

  return entry
}

/** The bytes of all files that a name stands for. */
export function bytesBelow (node: Change | TreeNode | undefined): number {
  if (node === undefined || node === null) {
    return 0
  }

  return node.kind === 'symlink' ? 0 : node.size
}

function heldBytes (name: string, change: Change | undefined): number {
  if (change === undefined) {
    return 0
  }

  if (change instanceof DraftDirectory) {
    return change.heldBytes
  }

  // what an open file holds is counted apart, since it changes all the time
  const inlined = change === null || change instanceof DraftFile || !(change.content instanceof Uint8Array) ? 0 : change.content.byteLength

  return changeOverheadBytes + 2 * name.length + inlined
}
