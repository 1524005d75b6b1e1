import { createBlock, dagCborCode, encodeParts, sumOfLengths } from '../codec/index.ts'
import type { Block, Part } from '../codec/index.ts'

/**
 * Builds the balanced index over a file's chunks from left to right, holding only the open node of each level.
 */
export class IndexBuilder {
  // level 1           [ .   . ]          nodes of `width` parts, the last one of each level shorter
  //                    /     \
  // level 0    [ . . . . ] [ . . ]
  //              | | | |     | |
  // chunks     raw blocks, all of them at the same depth
  readonly #levels: Part[][] = [[]]
  readonly #width: number
  readonly #put: (block: Block) => Promise<void>

  constructor (width: number, put: (block: Block) => Promise<void>) {
    this.#width = width
    this.#put = put
  }

  async add (part: Part): Promise<void> {
    await this.#add(0, part)
  }

  /**
   * Ends the file. At least two parts must have been added, else there is nothing to index.
   */
  async finish (): Promise<Part> {
    // a level above is opened only when the one below has more than one node, so the last level has at least two parts
    for (let level = 0; level < this.#levels.length - 1; level++) {
      await this.#add(level + 1, await this.#close(level))
    }

    return this.#close(this.#levels.length - 1)
  }

  async #add (level: number, part: Part): Promise<void> {
    if (level === this.#levels.length) {
      this.#levels.push([])
    }

    if (this.#levels[level].length === this.#width) {
      await this.#add(level + 1, await this.#close(level))
    }

    this.#levels[level].push(part)
  }

  async #close (level: number): Promise<Part> {
    const parts = this.#levels[level]
    this.#levels[level] = []
    const block = await createBlock(dagCborCode, encodeParts(parts))
    await this.#put(block)

    return { length: sumOfLengths(parts), link: block.cid }
  }
}
