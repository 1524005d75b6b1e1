import { isLeaf } from '../codec/index.ts'
import { nodeItems } from './item.ts'
import { loadChild, loadRoot } from './load.ts'
import { branchIndex, directorySums } from './node.ts'
import type { DirectoryRoot } from './build.ts'
import type { Item } from './item.ts'
import type { StoredDirectory } from './load.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { BranchNode, DirectoryNode } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

interface Step {
  readonly node: BranchNode
  readonly index: number
  /** The name before which everything below the branch comes; undefined where nothing follows */
  readonly end: string | undefined
}

/**
 * Stands on one run of a level of a stored directory, and moves to its neighbours. It holds the way down from the root,
 * and nothing else.
 */
export class RunCursor {
  readonly #blocks: BlockReader
  readonly #level: number
  readonly #root: DirectoryNode
  readonly #rootCid: CID
  readonly #options: ReadOptions
  #steps: Step[] = []
  #node: DirectoryNode
  #items: readonly Item[] | undefined

  private constructor (blocks: BlockReader, rootCid: CID, root: DirectoryNode, level: number, options: ReadOptions) {
    this.#blocks = blocks
    this.#rootCid = rootCid
    this.#root = root
    this.#node = root
    this.#level = level
    this.#options = options
  }

  /** Opens level 0 of a directory. */
  static async open (blocks: BlockReader, directory: StoredDirectory, options: ReadOptions): Promise<RunCursor> {
    return new RunCursor(blocks, directory.cid, await loadRoot(blocks, directory, options), 0, options)
  }

  /** A cursor over the level above, or undefined where this is the root's. */
  above (): RunCursor | undefined {
    return this.#level === this.#root.level ? undefined : new RunCursor(this.#blocks, this.#rootCid, this.#root, this.#level + 1, this.#options)
  }

  /** The directory that the cursor moves in. */
  get root (): DirectoryRoot {
    return { cid: this.#rootCid, ...directorySums(this.#root) }
  }

  /** The CID of the run's block. */
  get cid (): CID {
    const step = this.#steps.at(-1)

    return step === undefined ? this.#rootCid : step.node.branches[step.index].link
  }

  get items (): readonly Item[] {
    this.#items ??= nodeItems(this.#node)

    return this.#items
  }

  /** Moves to the run that holds a name, or would hold it. */
  async seek (name: string): Promise<void> {
    this.#moveTo(this.#root, [])
    await this.#descend(node => branchIndex(node.branches, name))
  }

  /** Moves to the next run; returns false, and stays, where there is none. */
  async next (): Promise<boolean> {
    return this.#moveBy(1, () => 0)
  }

  /** Moves to the run before; returns false, and stays, where there is none. */
  async previous (): Promise<boolean> {
    return this.#moveBy(-1, node => node.branches.length - 1)
  }

  async #moveBy (distance: 1 | -1, choose: (node: BranchNode) => number): Promise<boolean> {
    const turn = this.#steps.findLastIndex(({ node, index }) => node.branches[index + distance] !== undefined)

    if (turn === -1) {
      return false
    }

    const { node, index } = this.#steps[turn]
    await this.#enter(this.#steps.slice(0, turn), node, index + distance)
    await this.#descend(choose)

    return true
  }

  async #descend (choose: (node: BranchNode) => number): Promise<void> {
    while (this.#node.level > this.#level && !isLeaf(this.#node)) {
      await this.#enter(this.#steps, this.#node, choose(this.#node))
    }
  }

  async #enter (steps: readonly Step[], node: BranchNode, index: number): Promise<void> {
    const child = await loadChild(this.#blocks, node, index, steps.at(-1)?.end, this.#options)
    this.#moveTo(child.node, [...steps, { node, index, end: child.end }])
  }

  #moveTo (node: DirectoryNode, steps: Step[]): void {
    this.#node = node
    this.#steps = steps
    this.#items = undefined
  }
}
