import { CID } from 'multiformats/cid'
import pLimit from 'p-limit'
import { blockReader, blockWriter } from '../blockstore/index.ts'
import { dagCborCode, isSupportedCid } from '../codec/index.ts'
import { InvalidOptionError } from '../errors.ts'
import { checkLayout, dagfs1 } from '../file/index.ts'
import { checkOptions, integerOption } from '../options.ts'
import { openRoot } from '../tree/index.ts'
import { addAll } from './add-all.ts'
import { Draft } from './draft.ts'
import { View } from './view.ts'
import type { DraftContext } from './draft.ts'
import type { AddedEntry, AddOptions, AddReport, Commit, DagFs, DagFsComponents, DagFsInit, ReadonlyDagFs } from './types.ts'
import type { FileLayout } from '../file/index.ts'
import type { AbortOptions } from '../options.ts'
import type { TreeDirectory } from '../tree/index.ts'

const defaultDraftBytes = 64 * 2 ** 20

/**
 * Opens a filesystem whose blocks are in a blockstore.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 * const { root } = await fs.commit()
 *
 * console.log(String(root), await fs.at(root).readFile('/notes/today.md', 'utf8'))
 * ```
 *
 * @throws {InvalidOptionError} for an option that is unknown or cannot be used
 */
export function dagfs (components: DagFsComponents, init: DagFsInit = {}): DagFs {
  checkOptions(init, ['root', 'trusted', 'layout', 'draftBytes'])
  const { blockstore } = components

  if (typeof blockstore?.get !== 'function' || typeof blockstore.put !== 'function') {
    throw new InvalidOptionError('blockstore', 'must be an interface-blockstore; pass a Helia node or { blockstore }')
  }

  return new MutableDagFs(components, init)
}

class MutableDagFs extends View implements DagFs {
  readonly #context: DraftContext
  readonly #layout: FileLayout
  readonly #initialRoot: CID | undefined
  /** One edit at a time */
  readonly #exclusively = pLimit(1)
  #draft: Draft | undefined

  constructor ({ blockstore }: DagFsComponents, init: DagFsInit) {
    const blocks = blockReader(blockstore, { trusted: init.trusted })
    super(blocks, async options => (await this.#openDraft(options)).root)

    this.#context = {
      blocks,
      writer: blockWriter(blockstore),
      budgetBytes: integerOption('draftBytes', init.draftBytes ?? defaultDraftBytes)
    }
    this.#layout = checkLayout(init.layout ?? dagfs1)
    this.#initialRoot = init.root === undefined ? undefined : rootCid(init.root)
  }

  async addAll (entries: Iterable<AddedEntry> | AsyncIterable<AddedEntry>, options: AddOptions = {}): Promise<AddReport> {
    checkOptions(options, ['signal', 'onProgress', 'skip'])

    return this.#exclusively(async () => {
      const attempt = (await this.#openDraft(options)).clone()
      const report = await addAll(attempt, this.#layout, entries, options)
      this.#draft = attempt

      return report
    })
  }

  async commit (options: AbortOptions = {}): Promise<Commit> {
    checkOptions(options, ['signal'])

    return this.#exclusively(async () => {
      const draft = await this.#openDraft(options)
      const root = await draft.store(options)
      this.#draft = Draft.over(this.#context, root)

      return { root: root.cid, durability: 'none' }
    })
  }

  at (root: CID): ReadonlyDagFs {
    const cid = rootCid(root)
    const { blocks } = this.#context
    let opened: TreeDirectory | undefined

    return new View(blocks, async options => {
      opened ??= await openRoot(blocks, cid, options)

      return opened
    })
  }

  async #openDraft (options: AbortOptions): Promise<Draft> {
    if (this.#draft === undefined) {
      const root = this.#initialRoot === undefined ? undefined : await openRoot(this.#context.blocks, this.#initialRoot, options)
      // another call may have been first
      this.#draft ??= Draft.over(this.#context, root?.cid === undefined ? undefined : { cid: root.cid, size: root.size })
    }

    return this.#draft
  }
}

function rootCid (given: CID): CID {
  const cid = CID.asCID(given)

  if (cid === null || !isSupportedCid(cid) || cid.code !== dagCborCode) {
    throw new InvalidOptionError('root', `must be the CIDv1 of a dag-cbor block with sha2-256, got ${String(given)}`)
  }

  return cid
}
