import { createBlock, dagCborCode, encodeBranches, encodeLeaf } from '../codec/index.ts'
import { InvalidNodeError } from '../errors.ts'
import { startsRun } from './boundary.ts'
import type { Item } from './item.ts'
import type { Block, Branch } from '../codec/index.ts'

/**
 * Cuts the items of one level into runs, from left to right.
 */
export class RunCutter {
  readonly level: number
  #items: Item[] = []
  #bytes = 0

  constructor (level: number) {
    this.level = level
  }

  /** Whether the run ends before an item with this name. */
  endsBefore (name: string): boolean {
    const last = this.#items.at(-1)

    return last !== undefined && startsRun(this.level, this.#bytes, last.bytes.byteLength, name)
  }

  /** Adds an item; returns the run that ended before it, if one did. */
  push (item: Item): Item[] | undefined {
    const ended = this.endsBefore(item.name) ? this.take() : undefined
    this.#items.push(item)
    this.#bytes += item.bytes.byteLength

    return ended
  }

  /** Ends the run and returns its items; none where there is no run. */
  take (): Item[] {
    const items = this.#items
    this.#items = []
    this.#bytes = 0

    return items
  }
}

/** A run as a block, and the branch that stands for it in the level above. */
export interface Run {
  readonly block: Block
  readonly branch: Branch
}

/**
 * Encodes a run of a level.
 */
export async function encodeRun (level: number, items: readonly Item[]): Promise<Run> {
  const encoded = items.map(({ bytes }) => bytes)
  const count = sum(items.map(item => item.count))
  const size = sum(items.map(item => item.size))
  const block = await createBlock(dagCborCode, level === 0 ? encodeLeaf(encoded) : encodeBranches(level, encoded))
  const branch = {
    first: items[0]?.name ?? '',
    link: block.cid,
    count,
    size
  }

  return { block, branch }
}

function sum (numbers: readonly number[]): number {
  const total = numbers.reduce((before, number) => before + number, 0)

  if (!Number.isSafeInteger(total)) {
    throw new InvalidNodeError('the sizes of a directory add up to more than 2^53-1 bytes')
  }

  return total
}
