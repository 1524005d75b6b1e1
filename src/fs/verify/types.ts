import type { LimitOptions } from '../../budget.ts'
import type { FileLayout } from '../../file/index.ts'
import type { CID } from 'multiformats/cid'
import type { ProgressEvent, ProgressOptions } from 'progress-events'

/**
 * What is wrong with a block:
 *
 * - `missing`: the store does not have it
 * - `unreadable`: the store failed to read it, see `cause`
 * - `damaged`: its bytes do not match its CID
 * - `invalid`: it is not a canonical node of the expected kind, or it is larger than 2 MiB
 * - `unsupported`: this release does not know its type or version
 * - `contradiction`: it is valid, but contradicts what links to it: size, count, level, first name, order of names, generation
 * - `boundaries`: it is readable, but building the directory anew gives other blocks
 * - `layout`: it is readable, but the file has other blocks in the layout of its tree
 * - `too-deep`: its path has more than 1,024 segments
 */
export type TreeProblemKind = 'missing' | 'unreadable' | 'damaged' | 'invalid' | 'unsupported' | 'contradiction' | 'boundaries' | 'layout' | 'too-deep'

/** One problem that `fs.verify()` found. */
export interface TreeProblem {
  readonly kind: TreeProblemKind
  /** The block. For an inlined file, the block that contains it */
  readonly cid: CID
  /** One of the paths of the block. `/` for the root and for snapshots */
  readonly path: string
  /** The snapshot whose tree contains the block, where the root is a snapshot */
  readonly snapshot?: CID
  /** A description for people */
  readonly reason: string
  /** The error of the store */
  readonly cause?: unknown
}

/** Progress of a verification. */
export interface VerifyProgress {
  /** Blocks checked so far */
  readonly blocks: number
  /** Bytes of these blocks */
  readonly bytes: number
  /** Problems found so far */
  readonly problems: number
}

/** What `fs.verify()` passes to `onProgress`. */
export type VerifyProgressEvents = ProgressEvent<'dagfs:verify', VerifyProgress>

/**
 * `limits` count entries, blocks and their bytes, each time that a block is checked. Default: none where a block is checked
 * once. Different links can expect different things of one block: checking blocks again ends at 4,000,000 of them, or 1 GiB
 */
export interface VerifyOptions extends LimitOptions, ProgressOptions<VerifyProgressEvents> {
  /** Check earlier snapshots and their trees too. Default: false */
  readonly history?: boolean
  /**
   * The expected layout of files. Default: the recorded layout of the tree, or that of the handle. A tree that is given
   * by its CID alone has no known layout; then how files are cut is not checked
   */
  readonly layout?: FileLayout
  /** The most problems to describe; the rest is only counted. Default: 1,000 */
  readonly maxProblems?: number
}

/** The result of a verification. */
export interface VerifyReport {
  /** Blocks checked. A block counts once for each distinct expectation of it */
  readonly blocks: number
  /** Bytes of these blocks */
  readonly bytes: number
  /** The first problems. Blocks below an unreadable block are unknown and not counted */
  readonly problems: readonly TreeProblem[]
  /** Number of problems. 0 if the tree is complete and canonical */
  readonly problemCount: number
  /** Missing parents of snapshots, where a shallow history ends. At most `maxProblems` of them */
  readonly shallow: readonly CID[]
}
