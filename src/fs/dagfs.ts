import { sharedReader } from '../blockstore/index.ts'
import { InvalidOptionError } from '../errors.ts'
import { checkOptions, integerOption } from '../options.ts'
import { absolutePath } from '../path.ts'
import { openRoot } from '../tree/index.ts'
import { setAdapterApi } from './adapter-api.ts'
import { detachMethods } from './detach.ts'
import { Workspace } from './draft/workspace.ts'
import { EditableView } from './editable.ts'
import { nodeCid } from './node-cid.ts'
import { hold } from './publish/holders.ts'
import { RootPublisher } from './publish/root-publisher.ts'
import { ReadonlyView } from './readonly.ts'
import { recordedTime } from './recorded-time.ts'
import type { AdapterApi } from './adapter-api.ts'
import type { AdditionOptions, Additions } from './add-all.ts'
import type { AddedEntry } from './entry-types.ts'
import type { LimitOptions } from '../budget.ts'
import type { AbortOptions } from '../options.ts'
import type { CanonicalizeOptions } from './canonicalize/types.ts'
import type { GcOptions, GcReport } from './gc/types.ts'
import type { History } from './history/history.ts'
import type { CheckoutOptions, MergeOptions, MergeReport, SnapshotOptions, TakenSnapshot } from './history/types.ts'
import type { OpenedRoot } from './publish/root-types.ts'
import type { AddOptions, AddReport, Commit, DagFs, DagFsComponents, DagFsInit, ReadonlyDagFs } from './types.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Time } from '../codec/index.ts'
import type { RootStore } from '../roots/index.ts'
import type { TreeDirectory } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

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
 * console.log(String(root), await fs.at(root).readFile('/notes/today.md', 'utf8')) // bafy… hello
 * ```
 *
 * @throws {InvalidOptionError} for an option that is unknown or cannot be used
 */
export function dagfs (components: DagFsComponents, init: DagFsInit & { readonly: true }): ReadonlyDagFs
export function dagfs (components: DagFsComponents, init?: DagFsInit): DagFs
export function dagfs (components: DagFsComponents, init: DagFsInit = {}): ReadonlyDagFs {
  checkOptions(init, ['readonly', 'root', 'trusted', 'layout', 'draftBytes', 'clock', 'name', 'roots', 'pin', 'durable'])
  const blockstore = components?.blockstore

  if (typeof blockstore?.get !== 'function' || typeof blockstore.put !== 'function') {
    throw new InvalidOptionError('blockstore', 'must be an interface-blockstore; pass a Helia node or { blockstore }')
  }

  if (init.clock !== undefined && typeof init.clock !== 'function') {
    throw new InvalidOptionError('clock', 'must be a function')
  }

  const fs = new MutableDagFs(components, init)

  return init.readonly === true ? fs.asReadonly() : fs
}

class MutableDagFs extends EditableView implements DagFs {
  static {
    detachMethods(this.prototype)
  }

  readonly #components: DagFsComponents
  readonly #roots: RootStore | undefined
  readonly #publisher: RootPublisher
  /** Loaded when it is first asked for */
  #history: Promise<History> | undefined
  /** Snapshots that the history wants kept */
  #heldByHistory: () => readonly CID[] = () => []

  constructor (components: DagFsComponents, init: DagFsInit) {
    const { root, clock } = init
    const blocks = sharedReader(components.blockstore, { trusted: init.trusted })
    const draftBytes = integerOption('draftBytes', init.draftBytes ?? defaultDraftBytes)
    const publisher: RootPublisher = new RootPublisher(components, { ...init, draftBytes, root: root === undefined ? undefined : nodeCid('root', root) }, blocks, () => [...workspace.held(), ...this.#heldByHistory()])
    const workspace: Workspace = new Workspace({
      blocks,
      writer: publisher.writer,
      budgetBytes: draftBytes,
      begin: async options => publisher.open(options),
      storing: async work => publisher.writer.storing(work),
      restoring: async (work, options) => publisher.writer.restoring(work, options),
      now: clock === undefined ? undefined : () => readClock(clock)
    })
    super(workspace, async () => this.#openHistory())
    this.#components = components
    this.#roots = init.roots
    this.#publisher = publisher
    setAdapterApi(this, async () => this.#openAdapterApi(init))
  }

  async addAll (entries: Iterable<AddedEntry> | AsyncIterable<AddedEntry>, options: AddOptions = {}): Promise<AddReport> {
    checkOptions(options, ['signal', 'onProgress', 'skip'])

    return this.#add(entries, options)
  }

  async #add (entries: Additions, options: AdditionOptions): Promise<AddReport> {
    const { changes } = this.workspace
    const changed: string[] = []

    // edits are told of once all of them are there
    const onChanged = (path: string): void => {
      if (changes.isWatched) {
        changed.push(path)
      }
    }

    const { addAll } = await import('./add-all.ts')
    const report = await this.workspace.edit(async draft => addAll(draft, this.workspace.layout, entries, { ...options, onChanged }), options)
    changed.forEach(path => {
      changes.tell('rename', absolutePath(path))
    })

    return report
  }

  async #openAdapterApi (init: DagFsInit): Promise<AdapterApi> {
    const { OpenAdapterApi } = await import('./open-adapter-api.ts')
    const { workspace } = this

    return new OpenAdapterApi({
      store: this.#components.blockstore,
      workspace,
      puts: this.#publisher.writer,
      add: async (entries, options) => this.#add(entries, options),
      openTree: async (root, options) => openTree(workspace.blocks, root, options),
      over: (blockstore, root, layout) => new MutableDagFs({ blockstore }, { root, layout, trusted: init.trusted })
    })
  }

  async commit (options: LimitOptions = {}): Promise<Commit> {
    checkOptions(options, ['signal', 'limits'])
    const { signal } = options

    return this.workspace.commit(async ({ cid: root }) => {
      const durability = await this.#publisher.publish({ tree: root, snapshot: this.#publisher.snapshot }, { signal })

      return { root, durability }
    }, options)
  }

  async unpublish (options: AbortOptions = {}): Promise<void> {
    checkOptions(options, ['signal'])

    return this.workspace.edit(async draft => this.#publisher.unpublish(async () => (await draft.store(options)).root.cid, options), options)
  }

  at (root: CID): ReadonlyDagFs {
    const cid = nodeCid('root', root)
    const { blocks } = this.workspace
    // the view holds its tree for as long as it can be used
    const holder = { opened: undefined as TreeDirectory | undefined, held: () => [{ cid, isOptional: true }] }
    hold(this.#components.blockstore, holder)

    return new ReadonlyView(blocks, async options => {
      holder.opened ??= await openTree(blocks, cid, options)

      return holder.opened
    }, async () => {
      const { VersionHistory } = await import('./history/version-history.ts')

      return new VersionHistory({ blocks, store: this.#components.blockstore }, cid)
    })
  }

  /** The same tree for those who must not edit it. */
  asReadonly (): ReadonlyDagFs {
    return new ReadonlyView(this.workspace.blocks, async options => this.workspace.root(options), async () => this.#openHistory())
  }

  async opened (options: AbortOptions = {}): Promise<OpenedRoot> {
    checkOptions(options, ['signal'])

    return this.#publisher.opened(options)
  }

  async gc (options: GcOptions = {}): Promise<GcReport> {
    checkOptions(options, ['signal', 'onProgress', 'keep'])

    const { collectGarbage } = await import('./gc/gc.ts')

    return collectGarbage(this.#components, this.#roots, { ...options, keep: Array.from(options.keep ?? [], cid => nodeCid('keep', cid)) })
  }

  async snapshot (options: SnapshotOptions = {}): Promise<TakenSnapshot> {
    return (await this.#openHistory()).snapshot(options)
  }

  async checkout (target: CID, options: CheckoutOptions = {}): Promise<void> {
    await (await this.#openHistory()).checkout(target, options)
  }

  async merge (theirs: CID, options: MergeOptions = {}): Promise<MergeReport> {
    return (await this.#openHistory()).merge(theirs, options)
  }

  async canonicalize (root: CID, options: CanonicalizeOptions = {}): Promise<CID> {
    return (await this.#openHistory()).canonicalize(root, options)
  }

  async #openHistory (): Promise<History> {
    this.#history ??= import('./history/history.ts').then(({ History }) => {
      const history = new History(this.#components.blockstore, this.workspace, this.#publisher)
      this.#heldByHistory = () => history.held()

      return history
    })

    return this.#history
  }
}

/** Opens the tree that a CID names. Most are trees, and only for a snapshot of one is there more to load. */
async function openTree (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<TreeDirectory> {
  try {
    return await openRoot(blocks, cid, options)
  } catch (err) {
    const { openSnapshot } = await import('./history/snapshot.ts')

    return (await openSnapshot(blocks, cid, err, options)).root
  }
}

function readClock (clock: () => Date | Time): Time {
  return recordedTime('clock', clock())
}
