import { CidList } from '../../blockstore/index.ts'
import { cidKey } from '../../codec/index.ts'
import { pace } from '../../pace.ts'
import type { RetainedBlocks } from './retained-blocks.ts'
import type { BlockWriter, SharedWriter } from '../../blockstore/index.ts'
import type { Block } from '../../codec/index.ts'
import type { AbortOptions, PutOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

// some 100 bytes of memory each
const maxRemembered = 100_000

/** What was put between two commits. */
interface Generation {
  readonly puts: CidList
  /** Operations that began in it and are not done */
  inWork: number
}

/**
 * Writes the blocks of one handle, and remembers which it has put since its last commit: nothing published links to them
 * yet, so garbage collection has to be told of them, and a commit looks whether they are still there. Content that comes
 * again and again, as in every `node_modules`, is put once.
 */
export class RecentPuts implements BlockWriter {
  readonly #writer: SharedWriter
  #generations: Generation[] = [newGeneration()]
  /** What can be put again, where others collect garbage */
  retained: RetainedBlocks | undefined
  /** The blocks that are not put again, the oldest first */
  #remembered = new Set<string>()

  constructor (writer: SharedWriter) {
    this.#writer = writer
  }

  async put (block: Block, options?: PutOptions): Promise<void> {
    // before the look at what was put, so that nothing can come between the two
    await pace(options)
    await this.#putNew(block, options)
  }

  putAtOnce (block: Block, options?: PutOptions): Promise<void> | undefined {
    return pace(options)?.then(async () => this.#putNew(block, options)) ?? this.#putNew(block, options)
  }

  /**
   * Takes blocks that a store may have for put, where `find` finds all of them. It is given how to name each before it looks
   * for it, so that garbage collection does not come between.
   */
  async adopt (find: (name: (cid: CID) => void) => Promise<boolean>, options?: AbortOptions): Promise<boolean> {
    return this.#writer.beside(async () => find(cid => { this.#current.puts.push(cid) }), options)
  }

  /**
   * Does some work that stores content and then makes it part of the draft. A commit in between does not know of that
   * content, and it stays remembered.
   */
  async storing <T> (work: () => Promise<T>): Promise<T> {
    const generation = this.#current
    generation.inWork++

    try {
      return await work()
    } finally {
      generation.inWork--
    }
  }

  /** Does some work, once more where it fails for blocks that were deleted and could be put again. */
  async restoring <T> (work: () => Promise<T>, options: AbortOptions): Promise<T> {
    return this.retained?.restoring(work, this, options) ?? work()
  }

  /** A commit has published what is in the draft. */
  committed (): void {
    const first = this.#generations.findIndex(({ inWork }) => inWork > 0)
    this.#generations = [...(first === -1 ? [] : this.#generations.slice(first)), newGeneration()]

    if (first === -1) {
      this.retained?.clear()
    }

    this.forget()
  }

  /** Puts again what comes again: somebody may have deleted it. */
  forget (): void {
    this.#remembered = new Set()
  }

  * [Symbol.iterator] (): Generator<CID> {
    for (const { puts } of this.#generations) {
      yield * puts
    }
  }

  get #current (): Generation {
    return this.#generations[this.#generations.length - 1]
  }

  #putNew (block: Block, options?: PutOptions): Promise<void> | undefined {
    const key = cidKey(block.cid)
    // as long as they are not forgotten
    const remembered = this.#remembered

    if (remembered.has(key)) {
      return
    }

    // before it is there: garbage collection must not find it and not know it
    this.#current.puts.push(block.cid)
    this.retained?.add(block)
    const putting = this.#writer.putAtOnce(block, options)

    if (putting !== undefined) {
      return putting.then(() => { remember(remembered, key) })
    }

    remember(remembered, key)
  }
}

function remember (keys: Set<string>, key: string): void {
  keys.add(key)

  if (keys.size > maxRemembered) {
    const [oldest] = keys
    keys.delete(oldest)
  }
}

function newGeneration (): Generation {
  return { puts: new CidList(), inWork: 0 }
}
