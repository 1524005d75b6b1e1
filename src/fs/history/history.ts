import { Budget, heldLimits } from '../../budget.ts'
import { attributesFault, createBlock, dagCborCode, encodeSnapshot } from '../../codec/index.ts'
import { FileSystemError, InvalidOptionError } from '../../errors.ts'
import { checkLayout, isSameLayout, recordedLayout } from '../../file/index.ts'
import { checkOptions } from '../../options.ts'
import { blockCid, nodeCid } from '../node-cid.ts'
import { hold } from '../publish/holders.ts'
import { recordedTime } from '../recorded-time.ts'
import { checkDiffOptions, diffVersions } from './diff.ts'
import { checkLogOptions, logOf } from './log.ts'
import { checkStrategy, mergeVersions } from './merge.ts'
import { planMerge } from './plan.ts'
import { openVersion, readSnapshot, snapshotInfo } from './snapshot.ts'
import type { HandleStanding, MergePlan } from './plan.ts'
import type { Version } from './snapshot.ts'
import type { CheckoutOptions, DiffOptions, HistoryReader, LoggedSnapshot, LogOptions, MergeOptions, MergeReport, RootAttributes, SnapshotOptions, TakenSnapshot, TreeDifference } from './types.ts'
import type { SnapshotSource } from './walk.ts'
import type { BlockReader, BlockStore, BlockWriter } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { Attributes, Snapshot } from '../../codec/index.ts'
import type { DirectoryRoot } from '../../directory/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CanonicalizeOptions } from '../canonicalize/types.ts'
import type { Workspace } from '../draft/workspace.ts'
import type { RecentPuts } from '../publish/recent-puts.ts'
import type { Durability, Standing } from '../publish/root-types.ts'
import type { VerifyOptions, VerifyReport } from '../verify/types.ts'
import type { CID } from 'multiformats/cid'

/** What a handle stands on, and how it publishes. */
export interface HistoryRoot extends HandleStanding {
  /** The tree that the draft is over */
  readonly tree: CID | undefined
  /** The layout of its files, where that is known */
  readonly knownLayout: FileLayout | undefined
  /** Writes the blocks of the handle */
  readonly writer: BlockWriter & Pick<RecentPuts, 'storing'>
  open(options: AbortOptions): Promise<unknown>
  /** The draft is over another tree from now on */
  moveTo(standing: Standing): void
  /** The draft took in what is in a tree or snapshot */
  take(theirs: CID): void
  publish(next: Standing, options: AbortOptions): Promise<Durability>
}

/**
 * The history of a filesystem: its snapshots, and what is done with the trees of it.
 */
export class History implements HistoryReader {
  readonly #workspace: Workspace
  readonly #root: HistoryRoot
  readonly #blocks: BlockReader
  readonly #source: SnapshotSource
  /** Snapshots that were merged since the last one was taken */
  #merged: CID[] = []
  /** Attributes of the root directory for the next snapshot, where a merge made them */
  #attributes: { readonly value: Attributes | undefined } | undefined

  constructor (store: BlockStore, workspace: Workspace, root: HistoryRoot) {
    this.#workspace = workspace
    this.#root = root
    this.#blocks = workspace.blocks
    this.#source = { blocks: workspace.blocks, store }
  }

  /** What the next snapshot is to link to. */
  held (): readonly CID[] {
    return this.#merged
  }

  async snapshot (options: SnapshotOptions): Promise<TakenSnapshot> {
    checkOptions(options, ['message', 'meta', 'time', 'parents', 'attributes', 'signal'])
    const given = options.parents?.map(cid => nodeCid('parents', cid))
    await this.#root.open(options)

    return this.#workspace.commit(async ({ cid: tree }) => {
      const { snapshot: last } = this.#root
      const snapshot = await this.#describe(tree, given ?? [...last === undefined ? [] : [last], ...this.#merged], options)
      const block = await createBlock(dagCborCode, encodeSnapshot(snapshot))
      await this.#root.writer.put(block, options)
      const durability = await this.#root.publish({ tree, snapshot: block.cid }, options)
      this.#merged = []
      this.#attributes = undefined

      return { ...snapshotInfo(block.cid, snapshot), durability }
    }, options)
  }

  async #describe (tree: CID, parents: readonly CID[], { message, meta, time, attributes, signal }: SnapshotOptions): Promise<Snapshot> {
    const before = await Promise.all(parents.map(async cid => readSnapshot(this.#blocks, cid, { signal })))
    const kept = attributes === undefined ? await this.#rootAttributes({ signal }) : rootAttributes(attributes)
    const layout = recordedLayout(this.#workspace.layout)

    return {
      tree,
      parents,
      generation: before.reduce((highest, { generation }) => Math.max(highest, generation), -1) + 1,
      ...(time === undefined ? {} : { time: recordedTime('time', time) }),
      ...(message === undefined ? {} : { message }),
      ...(meta === undefined ? {} : { meta }),
      ...(kept === undefined ? {} : { attributes: kept }),
      ...(layout === undefined ? {} : { layout })
    }
  }

  async #rootAttributes (options: AbortOptions): Promise<Attributes | undefined> {
    if (this.#attributes !== undefined) {
      return this.#attributes.value
    }

    const { snapshot } = this.#root

    return snapshot === undefined ? undefined : (await readSnapshot(this.#blocks, snapshot, options)).attributes
  }

  async * log (from: CID | undefined, options: LogOptions): AsyncGenerator<LoggedSnapshot> {
    checkLogOptions(options)
    const given = from === undefined ? undefined : nodeCid('from', from)
    await this.#root.open(options)

    yield * logOf(this.#source, given ?? this.#root.snapshot, options)
  }

  async checkout (target: CID, options: CheckoutOptions): Promise<void> {
    checkOptions(options, ['force', 'limits', 'signal'])
    const budget = Budget.of(options.limits, heldLimits, '/')
    const cid = nodeCid('target', target)
    await this.#root.open(options)

    await this.#workspace.moveTo(async ours => {
      const { root, snapshot } = await openVersion(this.#blocks, cid, options)
      this.#checkLayout(snapshot)

      if (options.force !== true && !this.#isCommitted(ours)) {
        throw new FileSystemError('EBUSY', 'checkout', '/', 'there are uncommitted edits; commit them, or drop them with { force: true }')
      }

      return {
        root,
        moved: () => {
          // a tree alone has no history: what comes next follows the last snapshot still
          this.#root.moveTo({ tree: root.cid, snapshot: snapshot === undefined ? this.#root.snapshot : cid })
          this.#merged = []
          this.#attributes = undefined
        }
      }
    }, { signal: options.signal, budget })
  }

  #isCommitted ({ cid, count }: DirectoryRoot): boolean {
    return this.#root.tree === undefined ? count === 0 : this.#root.tree.equals(cid)
  }

  /** Content of one layout has other blocks in another one. */
  #checkLayout (snapshot: Snapshot | undefined): void {
    if (snapshot !== undefined && !isSameLayout(recordedLayout(this.#workspace.layout), snapshot.layout)) {
      throw new InvalidOptionError('layout', "differs from that of the snapshot; open a filesystem with the snapshot's layout")
    }
  }

  async * diff (before: CID, after: CID | undefined, options: DiffOptions): AsyncGenerator<TreeDifference> {
    checkDiffOptions(options)
    const [a, b] = [nodeCid('before', before), after === undefined ? undefined : nodeCid('after', after)]
    const old = await openVersion(this.#blocks, a, options)
    const young = b === undefined ? await this.#present(old, options) : await openVersion(this.#blocks, b, options)

    yield * diffVersions(this.#blocks, old, young, options)
  }

  async verify (root: CID | undefined, options: VerifyOptions): Promise<VerifyReport> {
    const given = root === undefined ? undefined : blockCid('root', root)
    await this.#root.open(options)
    const { tree, snapshot, knownLayout } = this.#root
    const own = [...options.history === true && snapshot !== undefined ? [snapshot] : [], ...tree === undefined ? [] : [tree]]
    const { verifyTrees } = await import('../verify/verify.ts')

    return verifyTrees(this.#source.store, given === undefined ? { roots: own, layout: knownLayout } : { roots: [given], layout: undefined }, options)
  }

  async canonicalize (root: CID, options: CanonicalizeOptions): Promise<CID> {
    checkOptions(options, ['layout', 'limits', 'onProgress', 'signal'])
    const given = nodeCid('root', root)
    const asked = options.layout === undefined ? undefined : checkLayout(options.layout)
    await this.#workspace.open(options)
    const { Canonicalizer } = await import('../canonicalize/canonicalize.ts')
    const { root: { cid } } = await openVersion(this.#blocks, given, options)
    const canonicalizer = new Canonicalizer({ blocks: this.#blocks, writer: this.#root.writer }, cid, asked ?? this.#workspace.layout, options)
    hold(this.#source.store, canonicalizer)

    return this.#root.writer.storing(async () => canonicalizer.run())
  }

  /** The tree as it is now, to be compared with a version, which has attributes to compare where it is a snapshot. */
  async #present (other: Version, options: AbortOptions): Promise<Version> {
    await this.#root.open(options)
    const cid = await this.#stored(options)
    const { root } = await openVersion(this.#blocks, cid, options)
    const attributes = other.snapshot === undefined ? undefined : await this.#rootAttributes(options)

    return { root: { ...root, attributes }, snapshot: undefined }
  }

  /** The tree as it is now; nothing is put where nothing was edited. */
  async #stored (options: AbortOptions): Promise<CID> {
    const { root } = await this.#workspace.open(options)

    return root.changes.size === 0 && root.base !== undefined ? root.base : (await this.#workspace.store(options)).cid
  }

  async merge (theirs: CID, options: MergeOptions): Promise<MergeReport> {
    checkOptions(options, ['base', 'strategy', 'limits', 'signal'])
    const reading: ReadOptions = { signal: options.signal, budget: Budget.of(options.limits, heldLimits, '/') }
    checkStrategy(options.strategy)
    const cid = nodeCid('theirs', theirs)
    const base = options.base === undefined || options.base === null ? options.base : nodeCid('base', options.base)
    await this.#root.open(options)

    return this.#workspace.moveTo(async ours => {
      const plan = await planMerge(this.#source, this.#root, cid, base, reading)
      this.#checkLayout(plan.snapshot)
      const merged = await mergeVersions({ blocks: this.#blocks, writer: this.#root.writer, layout: this.#workspace.layout }, {
        base: plan.base,
        ours: { ...ours, attributes: await this.#rootAttributes(options) },
        theirs: plan.theirs,
        strategy: options.strategy
      }, reading)

      return {
        root: merged.root,
        moved: () => {
          this.#follow(plan)
          this.#attributes = { value: merged.attributes }

          return { tree: merged.root.cid, base: plan.base.version, conflicts: merged.conflicts, conflictCount: merged.conflictCount }
        }
      }
    }, reading)
  }

  #follow ({ theirs, head, merged }: MergePlan): void {
    const ours = this.#root.snapshot
    // the tree, even where a snapshot of it was given: what was published may have gone on from there
    this.#root.take(theirs.cid)

    if (merged !== undefined && !this.#merged.some(cid => cid.equals(merged))) {
      this.#merged.push(merged)
    }

    if (head !== undefined && head !== ours) {
      this.#root.moveTo({ tree: theirs.cid, snapshot: head })
    } else if (this.#root.tree !== undefined && this.#root.snapshot !== ours) {
      this.#root.moveTo({ tree: this.#root.tree, snapshot: ours })
    }
  }
}

function rootAttributes ({ mtime, ...others }: RootAttributes): Attributes | undefined {
  const given = { ...others, mtime: mtime === undefined ? undefined : recordedTime('attributes.mtime', mtime) }
  const attributes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const fault = attributesFault(attributes)

  if (fault !== undefined) {
    throw new InvalidOptionError('attributes', fault)
  }

  return Object.keys(attributes).length === 0 ? undefined : attributes
}
