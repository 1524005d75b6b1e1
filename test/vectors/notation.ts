import { fromHex } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import { boundaries } from './modules/boundaries.ts'
import { directories } from './modules/directories.ts'
import { entries } from './modules/entries.ts'
import { files } from './modules/files.ts'
import { invalid } from './modules/invalid.ts'
import { roots } from './modules/roots.ts'
import { snapshots } from './modules/snapshots.ts'
import { trees } from './modules/trees.ts'
import type { Attributes, Entry, Layout, Meta, MetaValue, RootRecord, Snapshot } from '../../src/codec/index.ts'

type ContentNotation = { bytes: string } | { pattern: number } | { link: string } | { target: string }

interface EntryNotation {
  name: string
  kind: 'file' | 'directory' | 'symlink'
  content: ContentNotation
  size: number
  attributes?: Attributes
}

interface BlockVector {
  title: string
  cid: string
  /** Absent where the block is large */
  hex?: string
}

export interface LeafVector extends BlockVector {
  entries: EntryNotation[]
}

export interface SnapshotVector extends BlockVector {
  snapshot: Omit<Snapshot, 'tree' | 'parents'> & { tree: string, parents: string[] }
}

export interface RootVector {
  title: string
  root: { tree: string, previous?: string, snapshot?: string, layout?: Layout }
  hex: string
}

export interface FileVector {
  title: string
  bytes: number
  layout?: Layout
  content: ContentNotation
  rawBlocks: number
  indexes: Array<{ cid: string, hex?: string }>
}

export interface DirectoryVector {
  title: string
  entries?: EntryNotation[]
  rule?: { count: number, prefix: string, digits: number, modulo: number }
  root: string
  count: number
  size: number
  levels: Array<{ blocks: number, cids: string }>
}

export interface TreeVector {
  title: string
  entries: Array<{ path: string, pattern?: number, target?: string, attributes?: Attributes }>
  root: string
  size: number
  walk: string[]
}

export interface BoundaryVector {
  level: number
  runBytes: number
  lastItemBytes: number
  nextName: string
  hash: number
  startsRun: boolean
}

export interface InvalidVector {
  title: string
  kind: 'directory' | 'index' | 'snapshot' | 'root'
  error: string
  codec?: number
  hex?: string
  pieces?: Array<[hex: string, times: number]>
}

/** The vectors of every file, see FORMAT.md. */
export const vectors = {
  boundaries: JSON.parse(boundaries) as BoundaryVector[],
  directories: JSON.parse(directories) as DirectoryVector[],
  entries: JSON.parse(entries) as LeafVector[],
  files: JSON.parse(files) as FileVector[],
  invalid: JSON.parse(invalid) as InvalidVector[],
  roots: JSON.parse(roots) as RootVector[],
  snapshots: JSON.parse(snapshots) as SnapshotVector[],
  trees: JSON.parse(trees) as TreeVector[]
}

/** Bytes where byte `i` is `i % 251`. */
export function pattern (length: number, start = 0): Uint8Array {
  const bytes = new Uint8Array(length)

  for (let i = 0; i < length; i++) {
    bytes[i] = (start + i) % 251
  }

  return bytes
}

export function readContent (notation: ContentNotation): Uint8Array | CID | string {
  if ('bytes' in notation) {
    return fromHex(notation.bytes)
  }

  if ('pattern' in notation) {
    return pattern(notation.pattern)
  }

  return 'link' in notation ? CID.parse(notation.link) : notation.target
}

export function readEntry ({ name, kind, content, size, attributes }: EntryNotation): Entry {
  const entry = { name, kind, content: readContent(content), size }

  // the notation pairs kinds with their content, which its type does not say
  return (attributes === undefined ? entry : { ...entry, attributes: readAttributes(attributes) }) as Entry
}

export function readAttributes ({ meta, ...others }: Attributes): Attributes {
  return meta === undefined ? others : { ...others, meta: readMeta(meta) as Meta }
}

function readMeta (value: MetaValue): MetaValue {
  if (Array.isArray(value)) {
    return value.map(readMeta)
  }

  if (typeof value !== 'object') {
    return value
  }

  const pairs = Object.entries(value)

  return pairs[0]?.[0] === '$bytes' ? fromHex(String(pairs[0][1])) : Object.fromEntries(pairs.map(([key, item]) => [key, readMeta(item)]))
}

export function readSnapshot ({ tree, parents, attributes, meta, ...others }: SnapshotVector['snapshot']): Snapshot {
  return {
    ...others,
    tree: CID.parse(tree),
    parents: parents.map(parent => CID.parse(parent)),
    ...(attributes === undefined ? {} : { attributes: readAttributes(attributes) }),
    ...(meta === undefined ? {} : { meta: readMeta(meta) as Meta })
  }
}

export function readRootRecord ({ layout, ...links }: RootVector['root']): RootRecord {
  // the notation has a tree in every record
  const record = Object.fromEntries(Object.entries(links).map(([key, link]) => [key, CID.parse(link)])) as Omit<RootRecord, 'layout'> & { tree: CID }

  return layout === undefined ? record : { ...record, layout }
}

/** The entries of a directory, listed or made by its rule. */
export function * readEntries ({ entries = [], rule }: DirectoryVector): Generator<Entry> {
  yield * entries.map(readEntry)

  if (rule !== undefined) {
    yield * ruledEntries(rule)
  }
}

function * ruledEntries ({ count, prefix, digits, modulo }: NonNullable<DirectoryVector['rule']>): Generator<Entry> {
  for (let i = 0; i < count; i++) {
    const size = i % modulo
    yield { name: `${prefix}${String(i).padStart(digits, '0')}`, kind: 'file', content: pattern(size), size }
  }
}

export function readBytes ({ hex, pieces = [] }: InvalidVector): Uint8Array {
  if (hex !== undefined) {
    return fromHex(hex)
  }

  const parts = pieces.map(([piece, times]) => ({ bytes: fromHex(piece), times }))
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.byteLength * part.times, 0))
  let offset = 0

  for (const { bytes: piece, times } of parts) {
    for (let i = 0; i < times; i++, offset += piece.byteLength) {
      bytes.set(piece, offset)
    }
  }

  return bytes
}
