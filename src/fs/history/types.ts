import type { LimitOptions } from '../../budget.ts'
import type { Attributes, Meta, Time } from '../../codec/index.ts'
import type { EntryField, TreeConflict } from '../../compare/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { AddedFile, AddedSymlink, EntryInfo } from '../entry-types.ts'
import type { Durability } from '../publish/root-types.ts'
import type { VerifyOptions, VerifyReport } from '../verify/types.ts'
import type { CID } from 'multiformats/cid'

/** Attributes of the root directory, which has no entry to hold them. */
export interface RootAttributes {
  readonly mode?: number
  readonly mtime?: Date | Time
  readonly meta?: Meta
}

/** What a snapshot says beside its tree. */
export interface SnapshotOptions extends AbortOptions {
  /** What was done; 1 to 65,536 bytes */
  readonly message?: string
  /** Anything else, such as an author; up to 16,384 bytes. Default: none */
  readonly meta?: Meta
  /** When. Default: none is recorded, so that equal histories are equal */
  readonly time?: Date | Time
  /**
   * The snapshots that it follows, the one that others were merged into first. Default: the last snapshot of this
   * filesystem, and those that were merged since
   */
  readonly parents?: readonly CID[]
  /** Attributes of the root directory. Default: those of the last snapshot */
  readonly attributes?: RootAttributes
}

/**
 * A tree, put into a history.
 */
export interface SnapshotInfo {
  readonly cid: CID
  /** The root of the tree */
  readonly tree: CID
  /** The snapshots that it follows; the first is the side that the others were merged into */
  readonly parents: readonly CID[]
  /** 0 without parents, else one more than their highest */
  readonly generation: number
  readonly time?: Time
  readonly message?: string
  readonly meta?: Meta
  /** Attributes of the root directory */
  readonly attributes?: Attributes
}

/** A snapshot that was taken, and how durable it is. */
export interface TakenSnapshot extends SnapshotInfo {
  readonly durability: Durability
}

/** A snapshot of `fs.log()`, and whether the history behind it is there. */
export interface LoggedSnapshot extends SnapshotInfo {
  /** Parents that the store does not have: here the history that is known ends. Empty where it has all of them */
  readonly missing: readonly CID[]
}

/** `limits` count snapshots as entries and blocks, and their bytes. Default: none, since few are held */
export interface LogOptions extends LimitOptions {
  /** Give at most this many. Default: all */
  readonly limit?: number
}

/**
 * `limits` are of the comparison with the tree before, which is made for those who watch. Default: 1,000,000 entries, 4,000,000
 * blocks, 1 GiB
 */
export interface CheckoutOptions extends LimitOptions {
  /** Drop edits that are not committed. Default: false */
  readonly force?: boolean
}

/** Default of `limits`: 4,000,000 entries, 16,000,000 blocks, 8 GiB */
export interface DiffOptions extends LimitOptions {
  /**
   * Take an entry that vanished and one of the same content that appeared for one that was renamed. Costs two to three
   * times as much. Where more appears and vanishes than some 200,000 entries, no renames are told. Default: false
   */
  readonly detectRenames?: boolean
  /** Give a directory that appears or vanishes as one change, without what is below. Default: false */
  readonly collapse?: boolean
}

/** What two entries can differ in. */
export type ChangedField = EntryField

/**
 * A difference between two trees.
 */
export type TreeDifference =
  | { readonly kind: 'added', readonly path: string, readonly after: EntryInfo }
  | { readonly kind: 'removed', readonly path: string, readonly before: EntryInfo }
  | {
    readonly kind: 'changed'
    readonly path: string
    readonly before: EntryInfo
    readonly after: EntryInfo
    /** In what they differ. What is in a directory is not its content: it is told by itself */
    readonly fields: readonly ChangedField[]
  }
  | {
    /** What is below a directory was renamed with it, and is not told */
    readonly kind: 'renamed'
    readonly path: string
    /** The path before */
    readonly from: string
    readonly before: EntryInfo
    readonly after: EntryInfo
    /** In which attributes they differ */
    readonly fields: readonly ChangedField[]
  }

/**
 * What two sides did to one path that cannot both stand. A side without an entry there is undefined.
 *
 * - `both-changed`: both changed an entry of the base in different ways
 * - `both-added`: both made an entry where the base had none
 * - `changed-removed`: one changed what the other removed
 * - `directory-file`: one has a directory where the other has a file or link
 */
export interface MergeConflict {
  readonly path: string
  readonly kind: TreeConflict['kind']
  /** In what the sides differ and cannot be merged; empty where one of them has no entry */
  readonly fields: readonly ChangedField[]
  readonly base?: EntryInfo
  readonly ours?: EntryInfo
  readonly theirs?: EntryInfo
}

/**
 * What is to become of a conflict.
 *
 * - `ours`, `theirs`: what that side has, or that it has nothing; what is not in conflict is merged still
 * - `both`: both entries, under names with a hash in them (`notes~k5m7nqz2.txt`) that do not depend on who merges
 * - a file or link, with the attributes of our entry, or else of theirs, where it gives none
 * - null: nothing
 * - undefined: it stays a conflict
 *
 * Where one side removed the entry, `both` keeps the other one. It does not settle attributes of one directory, which
 * cannot be kept twice.
 */
export type MergeChoice = 'ours' | 'theirs' | 'both' | Omit<AddedFile, 'path'> | Omit<AddedSymlink, 'path'> | null | undefined

/**
 * How conflicts are settled: all in one way, or each as a function says. It may read from both sides meanwhile; edits of this
 * filesystem wait for the end of the merge, so it must not wait for one.
 */
export type MergeStrategy = 'ours' | 'theirs' | 'both' | ((conflict: MergeConflict) => MergeChoice | Promise<MergeChoice>)

/** `limits` are of all comparisons that it makes together. Default: 1,000,000 entries, 4,000,000 blocks, 1 GiB */
export interface MergeOptions extends LimitOptions {
  /**
   * The tree or snapshot that both sides began with; null for an empty directory. Default: their best common ancestor, if
   * theirs is a snapshot, and what both began with, if it is the root of a RootConflictError
   */
  readonly base?: CID | null
  /** What is done about conflicts. Default: a MergeConflictError */
  readonly strategy?: MergeStrategy
}

/** What a merge did. */
export interface MergeReport {
  /** The merged tree, which is that of the filesystem now, but not committed */
  readonly tree: CID
  /** The tree or snapshot that both sides began with; undefined for an empty directory */
  readonly base: CID | undefined
  /** The first 1,000 conflicts that the strategy settled */
  readonly conflicts: readonly MergeConflict[]
  /** How many it settled */
  readonly conflictCount: number
}

/** What can be asked of a history, wherever it is seen from. */
export interface HistoryReader {
  /**
   * As `fs.log()`; without `from`, from the last snapshot on.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import type { HistoryReader } from 'dagfs'
   *
   * async function lastMessage (history: HistoryReader): Promise<string | undefined> {
   *   for await (const { message } of history.log(undefined, { limit: 1 })) {
   *     return message
   *   }
   * }
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * await fs.snapshot({ message: 'Begin' })
   * console.log(await lastMessage(fs)) // Begin
   * ```
   */
  log(from: CID | undefined, options: LogOptions): AsyncGenerator<LoggedSnapshot>

  /**
   * As `fs.diff()`; without `after`, to the tree that it belongs to.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/draft.md', content: 'hello' }])
   * const { root: before } = await fs.commit()
   * await fs.rename('/draft.md', '/notes.md')
   * const { root: after } = await fs.commit()
   *
   * for await (const { kind, path } of fs.at(after).diff(before, after, { detectRenames: true })) {
   *   console.log(kind, path) // renamed /notes.md
   * }
   * ```
   */
  diff(before: CID, after: CID | undefined, options: DiffOptions): AsyncGenerator<TreeDifference>

  /**
   * As `fs.verify()`; without `root`, of the tree that it belongs to.
   *
   * @example
   *
   * ```ts
   * await fs.snapshot({ message: 'Begin' })
   * const { cid } = await fs.snapshot({ message: 'Go on' })
   * const { problemCount } = await fs.at(cid).verify(cid, { history: true })
   * console.log(problemCount) // 0
   * ```
   */
  verify(root: CID | undefined, options: VerifyOptions): Promise<VerifyReport>
}
