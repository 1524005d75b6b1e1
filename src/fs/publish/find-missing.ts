import { cidKey, dagCborCode, links } from '../../codec/index.ts'
import { MissingBlockError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import { openRoot } from '../../tree/index.ts'
import { isPresent } from './block-presence.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

const gone = 'a block was deleted'

export interface MissingBlock {
  readonly cid: CID
  /** Of the file that it is a part of, or of the directory */
  readonly path: string
}

/**
 * Finds the path of the first block below a tree that was put lately and is not in the store any more. It reads what is new
 * alone, and asks no network for what is missing.
 */
export async function findMissing (store: BlockStore, blocks: BlockReader, tree: CID, puts: Iterable<CID>, options: AbortOptions): Promise<MissingBlock | undefined> {
  const [recent, missing] = [new Set<string>(), new Set<string>()]

  for (const cid of puts) {
    const key = cidKey(cid)

    if (!recent.has(key) && !await isPresent(store, cid, options)) {
      missing.add(key)
    }

    recent.add(key)
  }

  return new Search(blocks, recent, missing, options).below(tree)
}

class Search {
  readonly #blocks: BlockReader
  /** Those that were not looked through yet */
  readonly #recent: Set<string>
  readonly #missing: ReadonlySet<string>
  readonly #options: AbortOptions

  constructor (blocks: BlockReader, recent: Set<string>, missing: ReadonlySet<string>, options: AbortOptions) {
    this.#blocks = {
      async get (cid, getOptions) {
        if (missing.has(cidKey(cid))) {
          throw new MissingBlockError(gone, { cid })
        }

        return blocks.get(cid, getOptions)
      }
    }
    this.#recent = recent
    this.#missing = missing
    this.#options = options
  }

  async below (tree: CID): Promise<MissingBlock | undefined> {
    const open = [{ cid: tree, path: '/' }]

    for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
      const { cid, path } = directory

      if (!this.#recent.delete(cidKey(cid))) {
        continue
      }

      try {
        for await (const node of (await openRoot(this.#blocks, cid, this.#options)).view.list({}, this.#options)) {
          const below = joinPath(path, node.name)

          if (node.kind === 'directory' && node.cid !== undefined) {
            open.push({ cid: node.cid, path: below })
          } else if (node.kind === 'file' && node.content !== undefined && !(node.content instanceof Uint8Array)) {
            await this.#readIndexes(node.content, below)
          }
        }
      } catch (err) {
        if (err instanceof MissingBlockError && err.cid !== undefined) {
          return { cid: err.cid, path: err.path ?? path }
        }

        throw err
      }
    }
  }

  /** Reads the indexes of a file, and no chunk. */
  async #readIndexes (content: CID, path: string): Promise<void> {
    const open = [content]

    for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
      const key = cidKey(cid)

      if (!this.#recent.delete(key)) {
        continue
      }

      if (this.#missing.has(key)) {
        throw new MissingBlockError(gone, { cid, path })
      }

      open.push(...(cid.code === dagCborCode ? links(await this.#blocks.get(cid, this.#options)) : []))
    }
  }
}
