import { typeBits } from './constants.ts'
import { OfKind } from './of-kind.ts'
import type { Attributes, Entry } from '../../codec/index.ts'
import type { TreeNode } from '../../tree/index.ts'
import type { CID } from 'multiformats/cid'

/** What the figures of an entry are made of. */
export interface StatsFacts {
  readonly kind: Entry['kind']
  readonly size: number
  readonly attributes?: Attributes
  readonly cid?: CID
}

/** The bits of an entry that has none recorded: those that Node gives under the usual umask. */
export const defaultModes = Object.freeze({ file: 0o644, directory: 0o755, symlink: 0o777 })

// a chunk of the default layout: the size that is read and written without waste
const blockBytes = 1_048_576
// as POSIX counts `blocks`
const sectorBytes = 512

/** What `Stats` and `BigIntStats` have in common: what an entry is, and what is recorded of it. */
abstract class StatsBase extends OfKind {
  /** The CID of the block that holds a file's bytes, indexes them, or holds a directory, where there is one */
  readonly cid?: CID
  /** What is recorded of the entry; what is absent is unspecified, and the other fields have its default */
  readonly attributes?: Attributes

  constructor ({ kind, cid, attributes }: StatsFacts) {
    super(kind)

    if (cid !== undefined) {
      this.cid = cid
    }

    if (attributes !== undefined) {
      this.attributes = attributes
    }
  }

  /**
   * As all times: when the content changed last, where that is recorded; else 1970
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * const { mtime, attributes } = await fs.stat('/notes.md')
   * console.log(mtime.getTime(), attributes?.mtime) // 0 undefined
   * ```
   */
  get mtime (): Date {
    const [seconds, nanoseconds] = this.attributes?.mtime ?? [0, 0]

    return new Date(seconds * 1_000 + Math.round(nanoseconds / 1_000_000))
  }

  /** As `mtime`: no time of access is recorded */
  get atime (): Date {
    return this.mtime
  }

  /** As `mtime` */
  get ctime (): Date {
    return this.mtime
  }

  /** As `mtime`: no time of making is recorded */
  get birthtime (): Date {
    return this.mtime
  }
}

/**
 * What is known of an entry, as Node's `Stats`. What a tree does not have is constant: `dev`, `ino`, `rdev`, `uid` and
 * `gid` are 0 and `nlink` is 1. All four times are the one that is recorded.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, Stats } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 * const stats = await fs.stat('/notes')
 *
 * console.log(stats instanceof Stats, stats.kind, stats.size, stats.nlink) // true directory 5 1
 * ```
 */
export class Stats extends StatsBase {
  readonly dev = 0
  /** The bits of the type, and the recorded permissions or else 0o644 for files, 0o755 for directories, 0o777 for links */
  readonly mode: number
  readonly nlink = 1
  readonly uid = 0
  readonly gid = 0
  readonly rdev = 0
  readonly blksize = blockBytes
  readonly ino = 0
  /** Bytes of a file, of all files below a directory, or of a link's target */
  readonly size: number
  /** As many units of 512 bytes as hold `size` */
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number

  constructor (facts: StatsFacts) {
    super(facts)
    const [seconds, nanoseconds] = facts.attributes?.mtime ?? [0, 0]
    this.mode = typeBits[facts.kind] | (facts.attributes?.mode ?? defaultModes[facts.kind])
    this.size = facts.size
    this.blocks = Math.ceil(facts.size / sectorBytes)
    this.mtimeMs = seconds * 1_000 + nanoseconds / 1_000_000
    this.atimeMs = this.mtimeMs
    this.ctimeMs = this.mtimeMs
    this.birthtimeMs = this.mtimeMs
  }
}

/**
 * The same with bigints, and with times in nanoseconds.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/notes.md', 'hello')
 * await fs.utimes('/notes.md', 0, [1, 500])
 * const { size, mtimeNs } = await fs.stat('/notes.md', { bigint: true })
 * console.log(size, mtimeNs) // 5n 1000000500n
 * ```
 */
export class BigIntStats extends StatsBase {
  readonly dev = 0n
  readonly mode: bigint
  readonly nlink = 1n
  readonly uid = 0n
  readonly gid = 0n
  readonly rdev = 0n
  readonly blksize = BigInt(blockBytes)
  readonly ino = 0n
  readonly size: bigint
  readonly blocks: bigint
  readonly atimeMs: bigint
  readonly mtimeMs: bigint
  readonly ctimeMs: bigint
  readonly birthtimeMs: bigint
  readonly atimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly birthtimeNs: bigint

  constructor (facts: StatsFacts) {
    super(facts)
    const { mode, size, blocks } = new Stats(facts)
    const [seconds, nanoseconds] = facts.attributes?.mtime ?? [0, 0]
    this.mode = BigInt(mode)
    this.size = BigInt(size)
    this.blocks = BigInt(blocks)
    this.mtimeNs = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds)
    this.mtimeMs = this.mtimeNs / 1_000_000n
    this.atimeMs = this.mtimeMs
    this.ctimeMs = this.mtimeMs
    this.birthtimeMs = this.mtimeMs
    this.atimeNs = this.mtimeNs
    this.ctimeNs = this.mtimeNs
    this.birthtimeNs = this.mtimeNs
  }
}

/**
 * The figures of a node of a tree, or of an entry's facts.
 */
export function statsOf (node: TreeNode | StatsFacts, { bigint = false }: { readonly bigint?: boolean } = {}): Stats | BigIntStats {
  const { kind, size, attributes } = node
  const facts = { kind, size, attributes, cid: 'cid' in node ? node.cid : contentCid(node) }

  return bigint ? new BigIntStats(facts) : new Stats(facts)
}

function contentCid (node: TreeNode | StatsFacts): CID | undefined {
  return 'content' in node && node.kind === 'file' && !(node.content instanceof Uint8Array) ? node.content : undefined
}
