import { fileBytes } from '../directory/index.ts'
import { compareNames } from '../path.ts'
import { storedDirectory, treeNode } from '../tree/index.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Attributes, Entry } from '../codec/index.ts'
import type { ListRange } from '../directory/index.ts'
import type { AbortOptions } from '../options.ts'
import type { DirectoryEdit, DirectoryView, TreeDirectory, TreeNode } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

/** What became of a name. */
export type Change = Entry | DraftDirectory | null

// what a change costs in memory beside its name and its inlined bytes
const changeOverheadBytes = 400

/**
 * A directory with edits that are not committed, over the stored directory that it began as. It can be looked into like
 * any other, and it is itself the edit that makes a stored directory of it.
 */
export class DraftDirectory implements DirectoryView, DirectoryEdit, TreeDirectory {
  readonly kind = 'directory'
  readonly name: string
  readonly base: CID | undefined
  readonly changes: Map<string, Change>
  readonly parent: DraftDirectory | undefined
  attributes: Attributes | undefined
  size: number
  readonly #blocks: BlockReader

  constructor (blocks: BlockReader, init: { name: string, base?: CID, size?: number, attributes?: Attributes, parent?: DraftDirectory }) {
    this.#blocks = blocks
    this.name = init.name
    this.base = init.base
    this.size = init.size ?? 0
    this.attributes = init.attributes
    this.parent = init.parent
    this.changes = new Map()
  }

  get view (): DirectoryView {
    return this
  }

  get cid (): CID | undefined {
    return this.changes.size === 0 ? this.base : undefined
  }

  /** A copy that can be edited on its own. */
  clone (parent?: DraftDirectory): DraftDirectory {
    const copy = new DraftDirectory(this.#blocks, { name: this.name, base: this.base, size: this.size, attributes: this.attributes, parent })

    for (const [name, change] of this.changes) {
      copy.changes.set(name, change instanceof DraftDirectory ? change.clone(copy) : change)
    }

    return copy
  }

  async find (name: string, options?: AbortOptions): Promise<TreeNode | undefined> {
    const change = this.changes.get(name)

    if (change !== undefined) {
      return change === null ? undefined : this.#node(change)
    }

    return this.base === undefined ? undefined : storedDirectory(this.#blocks, this.base).find(name, options)
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
    const changed = Array.from(this.changes)
      .filter(([name]) => after === undefined || compareNames(name, after) > 0)
      .sort(([a], [b]) => compareNames(a, b))
    let next = 0

    if (this.base !== undefined) {
      for await (const node of storedDirectory(this.#blocks, this.base).list({ after }, options)) {
        for (; next < changed.length && compareNames(changed[next][0], node.name) < 0; next++) {
          yield * this.#present(changed[next][1])
        }

        if (!this.changes.has(node.name)) {
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

  #node (change: Entry | DraftDirectory): TreeNode {
    return change instanceof DraftDirectory ? change : treeNode(this.#blocks, change)
  }

  /**
   * Changes a name, which `before` is found under until now. Answers how many bytes of memory the draft holds more.
   */
  set (name: string, change: Change, before: TreeNode | undefined): number {
    const earlier = this.changes.get(name)
    this.changes.set(name, change)
    this.#grow(sizeBelow(change) - sizeBelow(before))

    return heldBytes(name, change) - heldBytes(name, earlier)
  }

  #grow (bytes: number): void {
    for (let directory: DraftDirectory | undefined = this; directory !== undefined; directory = directory.parent) {
      directory.size += bytes
    }
  }
}

function sizeBelow (node: Change | TreeNode | undefined): number {
  if (node === undefined || node === null) {
    return 0
  }

  return node.kind === 'directory' ? node.size : fileBytes(node)
}

/** Bytes of memory that a change holds, drafts below it included. */
export function heldBytes (name: string, change: Change | undefined): number {
  if (change === undefined) {
    return 0
  }

  if (change instanceof DraftDirectory) {
    return Array.from(change.changes).reduce((sum, [childName, child]) => sum + heldBytes(childName, child), changeOverheadBytes)
  }

  const inlined = change !== null && change.content instanceof Uint8Array ? change.content.byteLength : 0

  return changeOverheadBytes + 2 * name.length + inlined
}
