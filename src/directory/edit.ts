import { decodeDirectory, isLeaf } from '../codec/index.ts'
import { compareNames } from '../path.ts'
import { LevelBuilder, directoryRoot } from './build.ts'
import { RunCursor } from './cursor.ts'
import { branchItem, entryItem } from './item.ts'
import { RunCutter, encodeRun } from './run.ts'
import type { DirectoryRoot } from './build.ts'
import type { Item } from './item.ts'
import type { StoredDirectory } from './load.ts'
import type { Run } from './run.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Block, Entry } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

/** What becomes of a name: another item takes its place, or none. */
interface Change {
  readonly name: string
  readonly item: Item | null
}

/** A directory after an edit, and those of its blocks that the old one did not have, children first. */
export interface EditedDirectory {
  readonly root: DirectoryRoot
  readonly blocks: readonly Block[]
}

/**
 * Sets and deletes entries of a stored directory. The result has the blocks that a bulk build of the same entries has.
 *
 * Level by level, from the leaves: the runs with changes are cut anew, and the runs behind them, until a new run starts
 * where an old one did. From there on the old runs stand, up to the next change. What became of the runs are the
 * changes of the level above.
 *
 * @throws {InvalidNodeError} where a block that is read is not canonical, or contradicts what leads to it or what follows, or an
 * entry cannot be written
 */
export async function editDirectory (blocks: BlockReader, directory: StoredDirectory, changes: ReadonlyMap<string, Entry | null>, options: ReadOptions = {}): Promise<EditedDirectory> {
  const levels: Block[][] = []
  let changesHere = Array.from(changes, ([name, entry]): Change => ({ name, item: entry === null ? null : entryItem(entry) }))
  let cursor: RunCursor | undefined = await RunCursor.open(blocks, directory, options)
  let runs: Run[] = []

  for (let level = 0; cursor !== undefined; level++) {
    if (changesHere.length === 0) {
      return { root: cursor.root, blocks: [] }
    }

    const edit: LevelEdit = new LevelEdit(level, cursor)
    await edit.apply(changesHere.sort((a, b) => compareNames(a.name, b.name)))
    levels.push(edit.blocks)
    changesHere = edit.changesAbove
    runs = edit.runs
    cursor = cursor.above()
  }

  return runs.length > 1 ? raise(levels, runs) : collapse(blocks, levels, runs.at(0) ?? await encodeRun(0, []), options)
}

/** The old root's level has several runs now, so levels are built above it. */
async function raise (levels: readonly Block[][], runs: readonly Run[]): Promise<EditedDirectory> {
  const builder = new LevelBuilder(levels.length)
  const above: Block[] = []

  for (const { branch } of runs) {
    const ended = builder.push(branchItem(branch))

    if (ended !== undefined) {
      await collect(builder.close(ended), above)
    }
  }

  const root = await collect(builder.finish(), above)

  return { root, blocks: [...levels.flat(), ...above] }
}

async function collect <T> (generator: AsyncGenerator<Block, T>, into: Block[]): Promise<T> {
  for (;;) {
    const { done, value } = await generator.next()

    if (done === true) {
      return value
    }

    into.push(value)
  }
}

/** The old root's level has one run. The root is the block of the lowest level that has one block only. */
async function collapse (blocks: BlockReader, levels: readonly Block[][], top: Run, options: ReadOptions): Promise<EditedDirectory> {
  const made = [...levels.flat(), top.block]
  let node = decodeDirectory(top.block)
  let cid = top.block.cid

  while (!isLeaf(node) && node.branches.length === 1) {
    cid = node.branches[0].link
    node = decodeDirectory(findBlock(made, cid) ?? await blocks.get(cid, options))
  }

  const kept = levels.slice(0, node.level + 1).flat()

  return {
    root: { ...directoryRoot(top), cid },
    // an empty directory is the one run that no level made
    blocks: top.branch.count === 0 ? [top.block] : kept
  }
}

function findBlock (blocks: readonly Block[], cid: CID): Block | undefined {
  return blocks.find(block => block.cid.equals(cid))
}

/**
 * Cuts one level of a stored directory anew where it changes.
 */
class LevelEdit {
  readonly #old: RunCursor
  readonly #cutter: RunCutter
  /** CIDs of the old runs that were cut anew, by the name of their first item */
  readonly #oldRuns = new Map<string, CID>()
  readonly #above = new Map<string, Item | null>()
  /** The runs that were cut anew; at the level of the old root, all there are */
  readonly runs: Run[] = []
  readonly blocks: Block[] = []

  constructor (level: number, old: RunCursor) {
    this.#old = old
    this.#cutter = new RunCutter(level)
  }

  get changesAbove (): Change[] {
    return Array.from(this.#above, ([name, item]) => ({ name, item }))
  }

  async apply (changes: readonly Change[]): Promise<void> {
    for (let done = 0; done < changes.length;) {
      await this.#seek(changes[done])
      done = await this.#recut(changes, done)
    }
  }

  async #seek (change: Change): Promise<void> {
    await this.#old.seek(change.name)

    if (this.#deletesFirst(change)) {
      // where the run before ends was decided by the name that goes away
      await this.#old.previous()
    }
  }

  #deletesFirst (change: Change | undefined): boolean {
    return change !== undefined && change.item === null && this.#old.items[0]?.name === change.name
  }

  /** Cuts anew from the cursor's run on, until old and new runs meet; returns how many changes are done by then. */
  async #recut (changes: readonly Change[], start: number): Promise<number> {
    for (let done = start; ;) {
      const { items } = this.#old
      this.#drop(items)
      const hasNext = await this.#old.next()
      const next = hasNext ? this.#old.items[0].name : undefined
      const stop = changesBefore(changes, done, next)

      for (const item of merge(items, changes.slice(done, stop))) {
        await this.#push(item)
      }

      done = stop

      if (next === undefined || (!this.#deletesFirst(changes[done]) && this.#cutter.endsBefore(next))) {
        await this.#close(this.#cutter.take())
        return done
      }
    }
  }

  #drop (items: readonly Item[]): void {
    if (items.length > 0) {
      this.#oldRuns.set(items[0].name, this.#old.cid)
      this.#above.set(items[0].name, null)
    }
  }

  async #push (item: Item): Promise<void> {
    const ended = this.#cutter.push(item)

    if (ended !== undefined) {
      await this.#close(ended)
    }
  }

  async #close (items: readonly Item[]): Promise<void> {
    if (items.length === 0) {
      return
    }

    const run = await encodeRun(this.#cutter.level, items)
    const { first } = run.branch
    this.runs.push(run)

    if (this.#oldRuns.get(first)?.equals(run.block.cid) === true) {
      this.#above.delete(first)
      return
    }

    this.#above.set(first, branchItem(run.branch))
    this.blocks.push(run.block)
  }
}

/** The index behind the last change before a name; all of them where there is no such name. */
function changesBefore (changes: readonly Change[], start: number, name: string | undefined): number {
  if (name === undefined) {
    return changes.length
  }

  for (let i = start; i < changes.length; i++) {
    if (compareNames(changes[i].name, name) >= 0) {
      return i
    }
  }

  return changes.length
}

/** Items with changes applied, in order. */
function * merge (items: readonly Item[], changes: readonly Change[]): Generator<Item> {
  let next = 0

  for (const { name, item } of changes) {
    while (next < items.length && compareNames(items[next].name, name) < 0) {
      yield items[next++]
    }

    if (items[next]?.name === name) {
      next++
    }

    if (item !== null) {
      yield item
    }
  }

  yield * items.slice(next)
}
