import { areEqualBytes } from '../bytes.ts'
import { isLeaf } from '../codec/index.ts'
import { compareNames } from '../path.ts'
import { loadChild, loadRoot } from './load.ts'
import type { BoundedNode, StoredDirectory } from './load.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { DirectoryNode, Entry } from '../codec/index.ts'

/** What became of a name. Either is undefined where there was or is no entry; they differ in at least one byte. */
export interface EntryChange {
  readonly name: string
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

/**
 * Compares two directories, undefined standing for an empty one. Yields the names whose entries differ, in order.
 *
 * Both sides are read from left to right, each as far as the other, and branches that link to the same block are passed
 * by unread, at every level. Where a run's end moved, the two sides are out of step until they cut at the same place
 * again, so a change costs its neighbourhood and the way down to it. No more than one way down is held of each side.
 *
 * @throws {InvalidNodeError} where a directory contradicts itself, names out of order across its blocks included
 */
export async function * diffDirectories (blocks: BlockReader, before: StoredDirectory | undefined, after: StoredDirectory | undefined, options: ReadOptions = {}): AsyncGenerator<EntryChange> {
  // one directory of which two sizes are claimed is opened, and refused
  if (before?.size === after?.size && (before === after || (before !== undefined && after?.cid.equals(before.cid) === true))) {
    return
  }

  const [old, young] = await Promise.all([before, after].map(async directory => Side.open(blocks, directory, options)))

  for (;;) {
    const change = await step(old, young, options)

    if (change === undefined) {
      return
    }

    if (change !== 'same') {
      yield change
    }
  }
}

/** Takes one step on one side or both; returns the change that it found, and undefined at the end. */
async function step (old: Side, young: Side, { budget }: ReadOptions): Promise<EntryChange | 'same' | undefined> {
  const a = old.item
  const b = young.item

  if (a === undefined && b === undefined) {
    return
  }

  budget?.spend('entries', 1)

  const order = orderOf(a, b)

  if (a !== undefined && b !== undefined && order === 0) {
    return stepBoth(old, a, young, b)
  }

  // what comes first on one side alone is nowhere on the other
  const [side, item] = b === undefined || order < 0 ? [old, a] : [young, b]

  if (item?.entry === undefined) {
    await side.enter()
    return 'same'
  }

  side.pass()

  return { name: item.name, before: side === old ? item.entry : undefined, after: side === old ? undefined : item.entry }
}

function orderOf (a: Item | undefined, b: Item | undefined): number {
  if (a === undefined || b === undefined) {
    return a === undefined ? 1 : -1
  }

  return compareNames(a.name, b.name)
}

async function stepBoth (old: Side, a: Item, young: Side, b: Item): Promise<EntryChange | 'same'> {
  if (a.level !== b.level) {
    // the lower one may be found again below the higher one
    await (a.level > b.level ? old : young).enter()
    return 'same'
  }

  if (areEqualBytes(a.bytes, b.bytes)) {
    old.pass()
    young.pass()
    return 'same'
  }

  if (a.entry === undefined || b.entry === undefined) {
    await Promise.all([old.enter(), young.enter()])
    return 'same'
  }

  old.pass()
  young.pass()

  return { name: a.name, before: a.entry, after: b.entry }
}

/** An entry, or a branch that was not looked into yet. */
interface Item {
  readonly level: number
  readonly name: string
  /** Equal items are equal bytes: a branch's have the CID in them */
  readonly bytes: Uint8Array
  /** Undefined for a branch */
  readonly entry: Entry | undefined
}

interface Step extends BoundedNode {
  index: number
}

/**
 * One of two directories that are compared: stands on an item, to pass it by or to look into it.
 */
class Side {
  readonly #blocks: BlockReader
  readonly #options: ReadOptions
  /** The way down, each step on the item that was entered, the last one on the current item */
  readonly #steps: Step[]
  #item: Item | undefined

  private constructor (blocks: BlockReader, root: DirectoryNode | undefined, options: ReadOptions) {
    this.#blocks = blocks
    this.#options = options
    this.#steps = root === undefined ? [] : [{ node: root, index: 0, end: undefined }]
    this.#settle()
  }

  static async open (blocks: BlockReader, directory: StoredDirectory | undefined, options: ReadOptions): Promise<Side> {
    return new Side(blocks, directory === undefined ? undefined : await loadRoot(blocks, directory, options), options)
  }

  /** The item that the side stands on; undefined at the end. */
  get item (): Item | undefined {
    return this.#item
  }

  /** Goes on to what comes behind the item. */
  pass (): void {
    const step = this.#steps.at(-1)

    if (step !== undefined) {
      step.index++
      this.#settle()
    }
  }

  /** Goes to the first item below the branch that the side stands on. */
  async enter (): Promise<void> {
    const step = this.#steps.at(-1)

    if (step === undefined || isLeaf(step.node)) {
      return
    }

    this.#steps.push({ ...await loadChild(this.#blocks, step.node, step.index, step.end, this.#options), index: 0 })
    this.#settle()
  }

  #settle (): void {
    let step = this.#steps.at(-1)

    while (step !== undefined && step.index === itemCount(step.node)) {
      this.#steps.pop()
      step = this.#steps.at(-1)

      if (step !== undefined) {
        step.index++
      }
    }

    this.#item = step === undefined ? undefined : itemAt(step)
  }
}

function itemCount (node: DirectoryNode): number {
  return node.offsets.length - 1
}

function itemAt ({ node, index }: Step): Item {
  const { level, offsets } = node
  const bytes = node.bytes.subarray(offsets[index], offsets[index + 1])

  return isLeaf(node)
    ? { level, bytes, name: node.entries[index].name, entry: node.entries[index] }
    : { level, bytes, name: node.branches[index].first, entry: undefined }
}
