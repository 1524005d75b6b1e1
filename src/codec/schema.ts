import type { CID } from 'multiformats/cid'

/**
 * A block: bytes and the CID that names them.
 */
export interface Block {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/**
 * A point in time: whole seconds since 1970, negative before it, and nanoseconds after that second.
 */
export type Time = readonly [seconds: number, nanoseconds: number]

/**
 * What a user may attach to an entry or snapshot: no floats, no links, no null. Keys that begin with `dagfs:` are reserved.
 */
export type MetaValue = string | number | boolean | Uint8Array | readonly MetaValue[] | Meta

/** Values that a user attaches, by their names. */
export interface Meta {
  readonly [key: string]: MetaValue
}

/**
 * Recorded facts about an entry. Absent means unspecified, not zero.
 */
export interface Attributes {
  readonly meta?: Meta
  /** Permission bits, 0 to 0o7777; symbolic links carry none */
  readonly mode?: number
  readonly mtime?: Time
}

/**
 * The bytes of a file: held in the entry itself, in one raw block, or in the raw blocks below an index block.
 */
export type Content = Uint8Array | CID

export interface FileEntry {
  readonly name: string
  readonly kind: 'file'
  readonly content: Content
  /** Bytes of the file */
  readonly size: number
  readonly attributes?: Attributes
}

export interface DirectoryEntry {
  readonly name: string
  readonly kind: 'directory'
  readonly content: CID
  /** Bytes of all files below */
  readonly size: number
  readonly attributes?: Attributes
}

export interface SymlinkEntry {
  readonly name: string
  readonly kind: 'symlink'
  /** The link's target, as it was given */
  readonly content: string
  /** Bytes of the target in UTF-8 */
  readonly size: number
  readonly attributes?: Attributes
}

export type Entry = FileEntry | DirectoryEntry | SymlinkEntry

/**
 * One run of entries below a branch node.
 */
export interface Branch {
  /** The name of the first entry below */
  readonly first: string
  readonly link: CID
  /** Entries below, in this directory */
  readonly count: number
  /** Bytes of all files below */
  readonly size: number
}

/**
 * The slices of a block that hold each of its items: item `i` is `bytes.subarray(offsets[i], offsets[i + 1])`.
 */
interface Encoded {
  readonly bytes: Uint8Array
  readonly offsets: readonly number[]
}

export interface LeafNode extends Encoded {
  readonly level: 0
  readonly entries: readonly Entry[]
}

export interface BranchNode extends Encoded {
  /** 1 to 15; its children are one level lower */
  readonly level: number
  readonly branches: readonly Branch[]
}

/**
 * A block of a directory: its entries, or the branches of a large one.
 */
export type DirectoryNode = LeafNode | BranchNode

export function isLeaf (node: DirectoryNode): node is LeafNode {
  return node.level === 0
}

/**
 * One part of a file below an index block: how many bytes, and the raw block or index block that holds them.
 */
export interface Part {
  readonly length: number
  readonly link: CID
}

/**
 * A commit in the history of a tree.
 */
export interface Snapshot {
  readonly tree: CID
  /** The first is the side that was merged into */
  readonly parents: readonly CID[]
  /** 0, or one more than the parents' highest */
  readonly generation: number
  readonly time?: Time
  /** Attributes of the root directory, which has no entry */
  readonly attributes?: Attributes
  readonly layout?: Layout
  readonly message?: string
  readonly meta?: Meta
}

/**
 * The choices that decide which blocks the same content becomes. The default one is named `dagfs-1` and is not written.
 */
export interface Layout {
  readonly chunkBytes: number
  readonly width: number
  readonly inlineBytes: number
}

/**
 * What a root store holds under a name: no block, so no CID names it.
 */
export interface RootRecord {
  /** The root of the tree */
  readonly tree: CID
  /** The tree before, for the case that a store lost the root's block */
  readonly previous?: CID
  /** The last snapshot of the tree's history */
  readonly snapshot?: CID
  readonly layout?: Layout
}
