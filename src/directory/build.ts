import { InvalidNodeError } from '../errors.ts'
import { compareNames } from '../path.ts'
import { printable } from '../printable.ts'
import { branchItem, entryItem } from './item.ts'
import { RunCutter, encodeRun } from './run.ts'
import type { Item } from './item.ts'
import type { Run } from './run.ts'
import type { Block, Entry } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * A stored directory as its parent knows it.
 */
export interface DirectoryRoot {
  readonly cid: CID
  /** Entries of the directory */
  readonly count: number
  /** Bytes of all files below */
  readonly size: number
}

export function directoryRoot ({ branch }: Run): DirectoryRoot {
  return { cid: branch.link, count: branch.count, size: branch.size }
}

/**
 * Builds a directory from its entries, which come in the order of their names. Yields its blocks, children first, and
 * returns its root. Only the open run of each level is held.
 *
 * @throws {InvalidNodeError} where names are out of order or an entry cannot be written
 */
export async function * buildDirectory (entries: Iterable<Entry> | AsyncIterable<Entry>): AsyncGenerator<Block, DirectoryRoot> {
  const builder = new LevelBuilder(0)
  let previous: string | undefined

  const push = (entry: Entry): Item[] | undefined => {
    if (previous !== undefined && compareNames(previous, entry.name) >= 0) {
      throw new InvalidNodeError(`the entry ${printable(entry.name)} is out of order`)
    }

    previous = entry.name

    return builder.push(entryItem(entry))
  }

  // to wait for each entry that is at hand would take as long as to encode it
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      const ended = push(entry)

      if (ended !== undefined) {
        yield * builder.close(ended)
      }
    }
  } else {
    for await (const entry of entries) {
      const ended = push(entry)

      if (ended !== undefined) {
        yield * builder.close(ended)
      }
    }
  }

  return yield * builder.finish()
}

/**
 * Builds a level and, where it has more than one run, the levels above it.
 */
export class LevelBuilder {
  readonly #cutter: RunCutter
  #first: Run | undefined
  #above: LevelBuilder | undefined

  constructor (level: number) {
    this.#cutter = new RunCutter(level)
  }

  /** Adds an item; returns the run that ended before it, which is to be passed to `close`. */
  push (item: Item): Item[] | undefined {
    return this.#cutter.push(item)
  }

  async * close (items: readonly Item[]): AsyncGenerator<Block, Run> {
    const run = await encodeRun(this.#cutter.level, items)
    yield run.block
    yield * this.#index(run)

    return run
  }

  /** Ends the level. A level of one run is the root. */
  async * finish (): AsyncGenerator<Block, DirectoryRoot> {
    // there is an open run: every push leaves one; without any push it is that of the empty directory
    const last = yield * this.close(this.#cutter.take())

    return this.#above === undefined ? directoryRoot(last) : yield * this.#above.finish()
  }

  // the level above is opened by this level's second run
  async * #index (run: Run): AsyncGenerator<Block> {
    if (this.#first === undefined) {
      this.#first = run
      return
    }

    if (this.#above === undefined) {
      this.#above = new LevelBuilder(this.#cutter.level + 1)
      this.#above.push(branchItem(this.#first.branch))
    }

    const ended = this.#above.push(branchItem(run.branch))

    if (ended !== undefined) {
      yield * this.#above.close(ended)
    }
  }
}
