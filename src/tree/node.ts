import { directorySize, findEntry, findKnownEntry, listEntries } from '../directory/index.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Attributes, Content, Entry, FileEntry, SymlinkEntry } from '../codec/index.ts'
import type { ListRange, StoredDirectory } from '../directory/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * A directory that can be looked into: one that is stored, or one with edits that are not committed.
 */
export interface DirectoryView {
  /** What a name is found under, null for nothing, where that is known at once; undefined where it has to be looked up */
  known?(name: string): TreeNode | null | undefined
  find(name: string, options?: ReadOptions): Promise<TreeNode | undefined>
  list(range?: ListRange, options?: ReadOptions): AsyncGenerator<TreeNode>
}

export interface TreeDirectory {
  readonly name: string
  readonly kind: 'directory'
  /** Undefined where the directory has edits that are not committed */
  readonly cid: CID | undefined
  /** Bytes of all files below */
  readonly size: number
  readonly attributes?: Attributes | undefined
  readonly view: DirectoryView
}

/**
 * A file with edits that are not stored, or that is about to have some.
 */
export interface EditedFile {
  readonly name: string
  readonly kind: 'file'
  /** Undefined where there are edits that are not stored */
  readonly content: Content | undefined
  readonly size: number
  readonly attributes?: Attributes | undefined
  read(offset: number, length: number, options: ReadOptions): AsyncGenerator<Uint8Array>
}

export type TreeFile = FileEntry | EditedFile

export type TreeNode = TreeFile | SymlinkEntry | TreeDirectory

/**
 * Looks into a stored directory, whose size is then compared with the claimed one.
 */
export function storedDirectory (blocks: BlockReader, directory: StoredDirectory): DirectoryView {
  return new StoredView(blocks, directory)
}

// of a class: a walk makes one for each directory, and a function for each of its calls would take longer than the rest of it
class StoredView implements DirectoryView {
  readonly #blocks: BlockReader
  readonly #directory: StoredDirectory

  constructor (blocks: BlockReader, directory: StoredDirectory) {
    this.#blocks = blocks
    this.#directory = directory
  }

  known (name: string): TreeNode | null | undefined {
    const entry = findKnownEntry(this.#blocks, this.#directory, name)

    return entry === undefined || entry === null ? entry : treeNode(this.#blocks, entry)
  }

  async find (name: string, options?: ReadOptions): Promise<TreeNode | undefined> {
    const entry = await findEntry(this.#blocks, this.#directory, name, options)

    return entry === undefined ? undefined : treeNode(this.#blocks, entry)
  }

  list (range?: ListRange, options?: ReadOptions): AsyncGenerator<TreeNode> {
    return listEntries(this.#blocks, this.#directory, range, options, entry => treeNode(this.#blocks, entry))
  }
}

/**
 * The node that a stored entry stands for.
 */
export function treeNode (blocks: BlockReader, entry: Entry): TreeNode {
  if (entry.kind !== 'directory') {
    return entry
  }

  const { name, kind, size, attributes, content: cid } = entry

  return { name, kind, size, attributes, cid, view: storedDirectory(blocks, { cid, size }) }
}

/**
 * Opens the root of a stored tree, which no entry names.
 *
 * @throws {InvalidNodeError} where the block is no directory
 */
export async function openRoot (blocks: BlockReader, cid: CID, options?: ReadOptions): Promise<TreeDirectory> {
  const size = await directorySize(blocks, { cid }, options)

  return { name: '', kind: 'directory', cid, size, view: storedDirectory(blocks, { cid }) }
}
