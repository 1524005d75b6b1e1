import { cidKey, dagCborCode } from '../codec/index.ts'
import { MissingBlockError } from '../errors.ts'
import { recordedLayout } from '../file/index.ts'
import { reachable } from './gc/reachable.ts'
import { VersionHistory } from './history/version-history.ts'
import { isMissing } from './publish/block-presence.ts'
import { hold } from './publish/holders.ts'
import { ReadonlyView } from './readonly.ts'
import type { StorageTraits, AdapterApi, PartialTree } from './adapter-api.ts'
import type { AdditionOptions, Additions } from './add-all.ts'
import type { Workspace } from './draft/workspace.ts'
import type { RecentPuts } from './publish/recent-puts.ts'
import type { AddReport, DagFs } from './types.ts'
import type { BlockStore } from '../blockstore/index.ts'
import type { Layout } from '../codec/index.ts'
import type { FileLayout } from '../file/index.ts'
import type { AbortOptions } from '../options.ts'
import type { TreeDirectory } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

export interface AdapterApiInit {
  readonly store: BlockStore
  readonly workspace: Workspace
  readonly puts: RecentPuts
  add(entries: Additions, options: AdditionOptions): Promise<AddReport>
  openTree(root: CID, options: AbortOptions): Promise<TreeDirectory>
  /** Another filesystem, over another store */
  over(store: BlockStore, root: CID, layout: FileLayout): DagFs
}

// what says that a tree is not what it was, as against a store that fails
const damages = ['BlockMismatchError', 'InvalidNodeError', 'FileSystemError']

export class OpenAdapterApi implements AdapterApi {
  readonly #init: AdapterApiInit

  constructor (init: AdapterApiInit) {
    this.#init = init
  }

  async add (entries: Additions, options: AdditionOptions): Promise<AddReport> {
    return this.#init.add(entries, options)
  }

  async layout (options: AbortOptions = {}): Promise<Layout> {
    const { workspace } = this.#init
    await workspace.open(options)
    const { layout } = workspace

    return recordedLayout(layout) ?? { width: layout.width, chunkBytes: layout.chunker.maxChunkBytes, inlineBytes: layout.inlineBytes }
  }

  async storageTraits (options: AbortOptions = {}): Promise<StorageTraits> {
    const { store, workspace } = this.#init
    await workspace.open(options)

    return { inlineBytes: workspace.layout.inlineBytes, copiesBytes: store.copiesBytes }
  }

  async adopt (content: CID, options: AbortOptions = {}): Promise<boolean> {
    const { store, workspace, puts } = this.#init

    // a store that cannot be asked may lack anything
    return store.has !== undefined && puts.adopt(async name => {
      try {
        for await (const cid of reachable(store, workspace.blocks, [{ cid: content }], options)) {
          name(cid)

          if (await store.has?.(cid, options) !== true) {
            return false
          }
        }

        return true
      } catch (err) {
        if (err instanceof MissingBlockError) {
          return false
        }

        throw err
      }
    }, options)
  }

  async sync (options: AbortOptions = {}): Promise<void> {
    await this.#init.store.sync?.(options)
  }

  partialTree (root: CID): PartialTree {
    const { store, workspace, openTree } = this.#init
    // what is there of it is spared by garbage collection for as long as it is looked at
    const holder = { opened: undefined as TreeDirectory | undefined, held: () => [{ cid: root, isOptional: true, isLenient: true }] }
    hold(store, holder)
    const view = new ReadonlyView(workspace.blocks, async options => {
      holder.opened ??= await openTree(root, options)

      return holder.opened
    }, async () => new VersionHistory({ blocks: workspace.blocks, store }, root))

    const ifThere = async <T> (read: Promise<T>, options?: AbortOptions): Promise<T | undefined> => {
      try {
        return await read
      } catch (err) {
        if (await this.#isDamage(err, options)) {
          return
        }

        throw err
      }
    }

    return {
      list: async (path, options) => ifThere(all(view.ls(path, options)), options),
      read: async (path, options) => ifThere(view.readFile(path, options), options)
    }
  }

  async #isDamage (err: unknown, options?: AbortOptions): Promise<boolean> {
    return err instanceof Error && (damages.includes(err.name) || ('cid' in err && isMissing(this.#init.store, err.cid as CID, err, options)))
  }

  async scratch (options: AbortOptions = {}): Promise<DagFs> {
    const { store, workspace, over } = this.#init
    const { cid } = await workspace.store(options)

    return over(new ScratchStore(store), cid, workspace.layout)
  }
}

async function all <T> (items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []

  for await (const item of items) {
    list.push(item)
  }

  return list
}

/** Keeps nodes in memory, over a store that nothing is put into, and drops the bytes of files. */
class ScratchStore implements BlockStore {
  readonly #store: BlockStore
  readonly #nodes = new Map<string, Uint8Array>()

  constructor (store: BlockStore) {
    this.#store = store
  }

  put (cid: CID, bytes: Uint8Array): CID {
    if (cid.code === dagCborCode) {
      this.#nodes.set(cidKey(cid), bytes)
    }

    return cid
  }

  async * get (cid: CID, options?: AbortOptions): AsyncGenerator<Uint8Array> {
    const bytes = this.#nodes.get(cidKey(cid))

    if (bytes === undefined) {
      yield * this.#store.get(cid, options)
    } else {
      yield bytes
    }
  }

  async has (cid: CID, options?: AbortOptions): Promise<boolean> {
    return this.#nodes.has(cidKey(cid)) || await this.#store.has?.(cid, options) === true
  }
}
