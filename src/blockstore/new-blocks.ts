import { cidKey } from '../codec/index.ts'
import { pace } from '../pace.ts'
import type { BlockWriter } from './writer.ts'
import type { Block } from '../codec/index.ts'
import type { PutOptions } from '../options.ts'

// some 100 bytes of memory each
const maxRemembered = 100_000

/**
 * Writes the blocks of one draft. Content that comes again and again, as in every `node_modules`, is put once: whoever
 * removes a block between two files of a draft has removed it for both.
 */
export class NewBlocks implements BlockWriter {
  readonly #writer: Pick<BlockWriter, 'putAtOnce'>
  /** Put blocks, the oldest first */
  readonly #put = new Set<string>()

  constructor (writer: Pick<BlockWriter, 'putAtOnce'>) {
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

  #putNew (block: Block, options?: PutOptions): Promise<void> | undefined {
    const key = cidKey(block.cid)

    if (this.#put.has(key)) {
      return
    }

    const putting = this.#writer.putAtOnce(block, options)

    if (putting !== undefined) {
      return putting.then(() => { this.#remember(key) })
    }

    this.#remember(key)
  }

  #remember (key: string): void {
    this.#put.add(key)

    if (this.#put.size > maxRemembered) {
      const [oldest] = this.#put
      this.#put.delete(oldest)
    }
  }
}
