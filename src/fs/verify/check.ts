import { decodeDirectory, decodeParts, decodeSnapshot, isLeaf, nodeKind, rawCode, sumOfLengths } from '../../codec/index.ts'
import { boundaryFault, claimsBelow, claimsFault, directorySums } from '../../directory/index.ts'
import { fillFault, formFault, indexFault, indexLevels, isNestedTooDeep, layoutNumbers, layoutOf } from '../../file/index.ts'
import { maxPathSegments } from '../../path.ts'
import { placeIn, rootPlace } from './claims.ts'
import type { Claims, Link, BlockPath } from './claims.ts'
import type { TreeProblemKind } from './types.ts'
import type { Block, Entry, Part, Snapshot } from '../../codec/index.ts'
import type { RunClaims } from '../../directory/index.ts'
import type { IndexClaims } from '../../file/index.ts'
import type { CID } from 'multiformats/cid'

/** A fault of a block, or of what is inlined in it. */
export interface Fault {
  readonly kind: TreeProblemKind
  readonly reason: string
  readonly place: BlockPath
}

/** What a block says: what is wrong with it, and what it links to. */
export interface Checked {
  readonly faults: readonly Fault[]
  readonly links: readonly Link[]
  /** Entries of a directory, where it is a leaf */
  readonly entries?: number
  /** The block itself, where it is a snapshot whose parents are looked at */
  readonly snapshot?: Snapshot
}

export interface CheckOptions {
  /** Whether the parents of snapshots are looked at */
  readonly history: boolean
}

/**
 * Holds a block, whose bytes are those that its CID names, against what is said of it.
 *
 * @throws {InvalidNodeError} where it is no canonical node of the kind that its place asks for
 * @throws {UnsupportedVersionError} where it is of a type that this release does not know
 */
export function check (link: Link, block: Block, options: CheckOptions): Checked {
  const { claims, place } = link

  switch (claims.role) {
    case 'chunk':
      return checkChunk(block, claims.length, place)
    case 'index':
      return checkIndex(block, claims.index, place)
    case 'directory':
      return checkNode(block, undefined, claims.size, place)
    case 'run':
      return checkNode(block, claims.run, undefined, place)
    case 'snapshot':
      return checkSnapshot(block, place, options)
    default:
      return check({ ...link, claims: claimsOf(block) }, block, options)
  }
}

/** What a block must be that nothing links to. */
function claimsOf (block: Block): Claims {
  if (block.cid.code === rawCode) {
    return { role: 'chunk', length: undefined }
  }

  switch (nodeKind(block)) {
    case 'index':
      return { role: 'index', index: { length: undefined, depth: 0, level: undefined } }
    case 'snapshot':
      return { role: 'snapshot', isParent: false }
    default:
      return { role: 'directory', size: undefined }
  }
}

function checkChunk ({ bytes }: Block, length: number | undefined, place: BlockPath): Checked {
  const { byteLength } = bytes
  const fault = length === undefined || length === byteLength ? undefined : `it has ${byteLength} bytes, but ${length} are claimed`

  return { faults: contradiction(fault, place), links: [] }
}

function checkIndex (block: Block, claims: IndexClaims, place: BlockPath): Checked {
  const parts = decodeParts(block)
  const fault = indexFault(parts, claims)
  const level = levelOf(parts, claims, place)
  const filled = level === undefined || place.layout === undefined ? undefined : fillFault(parts, level, place.layout)
  const below = { depth: claims.depth + 1, level: level === undefined ? undefined : level - 1 }

  return {
    faults: [...contradiction(fault, place), ...faultOf('layout', filled, place)],
    links: isNestedTooDeep(claims) ? [] : parts.map(({ link, length }) => contentLink(link, { ...below, length }, place))
  }
}

/** How far above the chunks an index is to stand. */
function levelOf (parts: readonly Part[], { depth, level }: IndexClaims, { layout }: BlockPath): number | undefined {
  // what is no index in its layout is reported by the entry
  return depth === 0 && layout !== undefined ? Math.max(1, indexLevels(sumOfLengths(parts), layout)) : level
}

function contentLink (cid: CID, index: IndexClaims, place: BlockPath): Link {
  return { cid, place, claims: cid.code === rawCode ? { role: 'chunk', length: index.length } : { role: 'index', index } }
}

function checkNode (block: Block, run: RunClaims | undefined, size: number | undefined, place: BlockPath): Checked {
  const node = decodeDirectory(block)
  const found = directorySums(node).size
  const lie = size === undefined || size === found ? undefined : `a directory has ${found} bytes, but its entry claims ${size}`
  const own = [...contradiction(claimsFault(node, run), place), ...contradiction(lie, place), ...faultOf('boundaries', boundaryFault(node, run?.end), place)]

  if (!isLeaf(node)) {
    const claims = claimsBelow(node, run)

    return { faults: own, links: node.branches.map(({ link }, i) => ({ cid: link, place, claims: { role: 'run', run: claims[i] } })) }
  }

  if (place.depth === maxPathSegments && node.entries.length > 0) {
    return { faults: [...own, ...faultOf('too-deep', `it is more than ${maxPathSegments} directories deep`, placeIn(place, node.entries[0].name))], links: [] }
  }

  const below = node.entries.map(entry => checkEntry(entry, placeIn(place, entry.name)))

  return { faults: [...own, ...below.flatMap(({ faults }) => faults)], links: below.flatMap(({ links }) => links), entries: below.length }
}

function checkEntry (entry: Entry, place: BlockPath): Checked {
  const { kind, content, size } = entry

  if (kind === 'symlink') {
    return { faults: [], links: [] }
  }

  if (kind === 'directory') {
    return { faults: [], links: [{ cid: content, place, claims: { role: 'directory', size } }] }
  }

  const form = place.layout === undefined ? undefined : formFault(content, size, place.layout)

  return {
    faults: faultOf('layout', form, place),
    links: content instanceof Uint8Array ? [] : [contentLink(content, { length: size, depth: 0, level: undefined }, place)]
  }
}

/** The tree of a snapshot, and what the history goes on with. Generations are compared where the parents are read. */
function checkSnapshot (block: Block, place: BlockPath, { history }: CheckOptions): Checked {
  const snapshot = decodeSnapshot(block)
  const { tree, parents, layout } = snapshot
  const root: Link = { cid: tree, place: rootPlace(layoutNumbers(layoutOf(layout)), block.cid), claims: { role: 'directory', size: undefined } }

  if (!history) {
    return { faults: [], links: [root] }
  }

  const before = parents.map((cid): Link => ({ cid, place: rootPlace(place.layout, cid), claims: { role: 'snapshot', isParent: true } }))

  return { faults: [], links: [root, ...before], snapshot }
}

function contradiction (reason: string | undefined, place: BlockPath): Fault[] {
  return faultOf('contradiction', reason, place)
}

function faultOf (kind: TreeProblemKind, reason: string | undefined, place: BlockPath): Fault[] {
  return reason === undefined ? [] : [{ kind, reason, place }]
}
