import { throwIfAborted } from '../../abort.ts'
import { blockWriter } from '../../blockstore/index.ts'
import { InvalidOptionError, MissingBlockError } from '../../errors.ts'
import { checkLayout, dagfs1, isSameLayout, layoutOf, recordedLayout } from '../../file/index.ts'
import { openRoot } from '../../tree/index.ts'
import { isMissing, isPresent } from './block-presence.ts'
import { hold } from './holders.ts'
import { RecentPuts } from './recent-puts.ts'
import { durableOption, pinOption, placeOption } from './root-options.ts'
import { findRecord, isSameRoot } from './root-record.ts'
import type { CommitGuard, CommitGuardInit } from './commit-guard.ts'
import type { Holder } from './holders.ts'
import type { PublicPlace } from './root-options.ts'
import type { KnownName } from './root-record.ts'
import type { Durability, LayoutSource, OpenedRoot, Standing } from './root-types.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { RootRecord } from '../../codec/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Reach } from '../gc/reachable.ts'
import type { DagFsComponents, DagFsInit } from '../types.ts'
import type { CID } from 'multiformats/cid'

interface PublisherInit extends DagFsInit {
  /** Bytes of put blocks that are held where they can be deleted before a commit pins them */
  readonly draftBytes: number
}

/**
 * What a handle stands on: the tree that its draft is over, and the root that is published under its name. It moves when
 * the handle commits, and nothing else moves it.
 */
export class RootPublisher implements Holder {
  /** Writes the blocks of the handle */
  readonly writer: RecentPuts
  readonly #store: BlockStore
  readonly #blocks: BlockReader
  readonly #place: PublicPlace | undefined
  readonly #durability: Durability
  /** What guards roots that others can see or that are pinned; there is nothing to guard others from */
  readonly #guarded: CommitGuardInit | undefined
  /** Loaded for the first commit */
  #commitGuard: Promise<CommitGuard> | undefined
  readonly #init: PublisherInit
  readonly #extra: () => Iterable<CID>
  #opened: { readonly layout: FileLayout, readonly missing: readonly CID[] } | undefined
  #standing: Partial<Standing>
  /** What this handle knows of its name */
  readonly #known: KnownName = {}
  /** Trees that were taken into the draft */
  #sources: CID[] = []

  /**
   * `held` says what else must stay for as long as the handle is open, such as the content of files that are open.
   *
   * @throws {InvalidOptionError} for options about the root that contradict each other or the stores
   */
  constructor (components: DagFsComponents, init: PublisherInit, blocks: BlockReader, held: () => Iterable<CID>) {
    const { blockstore } = components
    this.#store = blockstore
    this.#blocks = blocks
    this.#init = init
    this.#extra = held
    this.#place = placeOption(init)
    this.#durability = durableOption(blockstore, init, this.#place)
    this.#standing = { tree: init.root }
    this.writer = new RecentPuts(blockWriter(blockstore))
    const [pins, isPublic] = [pinOption(components, init), this.#place !== undefined]
    this.#guarded = pins === undefined && !isPublic ? undefined : { store: blockstore, blocks, puts: this.writer, pins, isPublic }

    if (init.layout !== undefined) {
      checkLayout(init.layout)
    }

    hold(blockstore, this)
  }

  /** The tree that the draft is over; undefined for an empty directory that was never committed. */
  get tree (): CID | undefined {
    return this.#standing.tree
  }

  get snapshot (): CID | undefined {
    return this.#standing.snapshot
  }

  /** The tree that the draft and whatever is published by others have in common: the last that is known and can be read. */
  get base (): CID | undefined {
    const record = this.#known.published?.record

    if (record === undefined) {
      return this.#place === undefined ? this.tree : undefined
    }

    return this.#opened?.missing.some(cid => cid.equals(record.tree)) === true ? record.previous : record.tree
  }

  /** What somebody else has published, where that was why the last commit failed. */
  get seen (): Standing | undefined {
    return this.#known.seen?.record
  }

  /** Where roots are published, if they are. */
  get place (): PublicPlace | undefined {
    return this.#place
  }

  * held (): Generator<Reach> {
    const { tree, snapshot } = this.#standing

    for (const cid of [tree, snapshot, ...this.#sources]) {
      if (cid !== undefined) {
        yield { cid, isOptional: true }
      }
    }

    // some of it is garbage already, and what was below that may be gone
    for (const cids of [this.writer, this.#extra()]) {
      for (const cid of cids) {
        yield { cid, isOptional: true, isLenient: true }
      }
    }
  }

  /**
   * Finds what the handle begins with.
   *
   * @throws {InvalidOptionError} where the layout that was asked for is not that of the tree
   */
  async open (options: AbortOptions): Promise<{ readonly layout: FileLayout, readonly tree: CID | undefined }> {
    throwIfAborted(options.signal)

    if (this.#opened === undefined) {
      if (this.#guarded?.pins !== undefined) {
        const { RetainedBlocks } = await import('./retained-blocks.ts')
        this.writer.retained ??= new RetainedBlocks(this.#store, this.#init.draftBytes)
      }

      const found = this.#place === undefined ? undefined : await findRecord(this.#place, options)
      const layout = this.#layoutOf(found?.record)
      const { standing, missing } = found === undefined ? { standing: this.#standing, missing: [] } : await this.#stand(found.record, options)

      // another call may have been first
      if (this.#opened === undefined) {
        this.#opened = { layout, missing }
        this.#known.published = found
        this.#standing = standing
      }
    }

    return { layout: this.#opened.layout, tree: this.tree }
  }

  async opened (options: AbortOptions): Promise<OpenedRoot> {
    await this.open(options)
    const { tree, snapshot } = this.#standing

    return { root: tree, snapshot, missing: this.#opened?.missing ?? [], layout: this.#layoutSource() }
  }

  /** The layout of the files of the tree; undefined where the tree was named by its CID, and nothing said more of it. */
  get knownLayout (): FileLayout | undefined {
    return this.#init.root !== undefined && this.#layoutSource() === 'default' ? undefined : this.#opened?.layout
  }

  /** Records and snapshots say nothing of the default layout, so that saying nothing is saying that. */
  #layoutSource (): LayoutSource {
    if (this.#known.published !== undefined || this.#standing.snapshot !== undefined) {
      return 'recorded'
    }

    return this.#init.layout === undefined ? 'default' : 'given'
  }

  #layoutOf (record: RootRecord | undefined): FileLayout {
    const { layout } = this.#init
    const recorded = layout === undefined || this.#place === undefined ? undefined : recordedLayout(layout)

    if (record === undefined) {
      return layout ?? dagfs1
    }

    if (layout !== undefined && !isSameLayout(recorded, record.layout)) {
      throw new InvalidOptionError('layout', `differs from that of the tree named '${this.#place?.name ?? ''}'; omit it to use the tree's`)
    }

    return layout ?? layoutOf(record.layout)
  }

  /** A store may have lost the root's block, where its blocks and roots are not synced together: then the tree before it is opened. */
  async #stand ({ tree, previous, snapshot }: RootRecord, options: AbortOptions): Promise<{ standing: Standing, missing: CID[] }> {
    try {
      await openRoot(this.#blocks, tree, options)

      return { standing: { tree, snapshot }, missing: [] }
    } catch (err) {
      if (previous === undefined || !await isMissing(this.#store, tree, err, options)) {
        throw err
      }

      await openRoot(this.#blocks, previous, options)

      return snapshot === undefined || await isPresent(this.#store, snapshot, options)
        ? { standing: { tree: previous, snapshot }, missing: [tree] }
        : { standing: { tree: previous }, missing: [tree, snapshot] }
    }
  }

  /**
   * Makes what the draft is going to be over another tree. A root that was published by somebody else is then taken for
   * known, and the next commit goes on from it.
   */
  moveTo (standing: Standing): void {
    this.take(standing.tree)
    this.#standing = standing
  }

  /**
   * Says that the draft took in what is in a tree or snapshot. If that is what somebody else has published meanwhile, the
   * next commit goes on from it.
   */
  take (theirs: CID): void {
    const { tree: before } = this.#standing
    this.#sources.push(theirs, ...(before === undefined ? [] : [before]))
    const { tree, snapshot } = this.#known.seen?.record ?? {}

    if (this.#known.unnamed?.equals(theirs) === true) {
      this.#known.published = undefined
      this.#known.unnamed = undefined
    }

    if (this.#known.seen !== undefined && (tree?.equals(theirs) === true || snapshot?.equals(theirs) === true)) {
      this.#known.published = this.#known.seen
      this.#standing = { tree: this.#known.seen.record.tree, snapshot }
      this.#known.seen = undefined
    }
  }

  /**
   * Publishes a tree whose blocks are put, and makes it what the handle stands on.
   *
   * @throws {RootConflictError} where somebody else has published another one
   * @throws {RootRemovedError} where somebody else has removed the name
   * @throws {MissingBlockError} where somebody else has deleted blocks of it
   * @throws {InvalidOptionError} where the root is to be durable and the roots' store has not the blocks
   */
  async publish (next: Standing, options: AbortOptions): Promise<Durability> {
    await this.open(options)
    const { tree } = this.#standing
    const durability = this.#isPublished(next) ? await this.#publishAgain(next, options) : await this.#publishNew(next, options)

    this.#standing = next
    this.#sources = []
    this.writer.committed()

    if (durability === 'commit') {
      await this.#place?.roots.sync?.(options)
    }

    await (await this.#openCommitGuard())?.moved(tree, next.tree, options)

    return durability
  }

  /**
   * Removes the name, and drops the pin of its root. `ours` stores the tree of the handle and returns its CID.
   *
   * @throws {RootConflictError} where somebody else has published another root
   * @throws {InvalidOptionError} where the handle has no name
   */
  async unpublish (ours: () => Promise<CID>, options: AbortOptions): Promise<void> {
    await this.open(options)
    const place = this.#place

    if (place === undefined) {
      throw new InvalidOptionError('name', 'is needed by unpublish(), and this filesystem has none')
    }

    const { removeName } = await import('./move-name.ts')
    const removed = await removeName(place, this.#known, { ours, base: this.base }, options)

    if (this.#durability === 'commit') {
      await place.roots.sync?.(options)
    }

    if (removed !== undefined) {
      await (await this.#openCommitGuard())?.unpublished(removed, place.roots, options)
    }
  }

  #isPublished (root: Standing): boolean {
    return this.#known.published !== undefined && isSameRoot(this.#known.published.record, root)
  }

  async #publishAgain (next: Standing, options: AbortOptions): Promise<Durability> {
    if (this.#place !== undefined) {
      const { checkPublishedName } = await import('./move-name.ts')
      await checkPublishedName(this.#place, this.#known, next.tree, options)
    }

    return this.#syncBlocks(next, options)
  }

  async #publishNew (next: Standing, options: AbortOptions): Promise<Durability> {
    const { tree } = this.#standing
    const from = [...this.#sources, ...(tree === undefined ? [] : [tree])]
    const takeBack = await this.#guard(next, from, options)

    try {
      const durability = await this.#syncBlocks(next, options)

      if (this.#place !== undefined) {
        await this.#set(this.#place, next, options)
      }

      return durability
    } catch (err) {
      await takeBack?.()
      throw err
    }
  }

  async #guard (next: Standing, from: readonly CID[], options: AbortOptions): Promise<(() => Promise<void>) | undefined> {
    try {
      return await (await this.#openCommitGuard())?.protect(next, from, options)
    } catch (err) {
      if (err instanceof MissingBlockError) {
        this.writer.forget()
      }

      throw err
    }
  }

  async #openCommitGuard (): Promise<CommitGuard | undefined> {
    const guarded = this.#guarded

    if (guarded !== undefined) {
      this.#commitGuard ??= import('./commit-guard.ts').then(({ CommitGuard }) => new CommitGuard(guarded))
    }

    return this.#commitGuard
  }

  /** Syncs the blocks where setting the root does not, and returns what can be guaranteed of them. */
  async #syncBlocks ({ tree }: Standing, options: AbortOptions): Promise<Durability> {
    if (this.#durability === 'none' || await this.#place?.roots.syncsBlock?.(tree) === true) {
      return this.#durability
    }

    if (this.#store.sync !== undefined) {
      await this.#store.sync(options)
    } else if (this.#init.durable === undefined) {
      return 'none'
    } else {
      throw new InvalidOptionError('roots', 'belong to another store than the blocks')
    }

    return 'commit'
  }

  async #set (place: PublicPlace, next: Standing, options: AbortOptions): Promise<void> {
    const { setName } = await import('./move-name.ts')
    const layout = this.#opened === undefined ? undefined : recordedLayout(this.#opened.layout)

    await setName(place, this.#known, { next, base: this.base, layout }, options)
  }
}
