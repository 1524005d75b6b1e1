import { isLeaf } from '../codec/index.ts'
import { compareNames } from '../path.ts'
import { printable } from '../printable.ts'
import { startsRun } from './boundary.ts'
import { nodeItems } from './item.ts'
import { heldBy, lastName } from './node.ts'
import type { Item } from './item.ts'
import type { Branch, BranchNode, DirectoryNode } from '../codec/index.ts'

/** What is said of a run from above: by the branch that links to it, and by the one that comes behind. */
export interface RunClaims extends Omit<Branch, 'link'> {
  readonly level: number
  /** The name that the next run of the level begins with; undefined for the last run */
  readonly end: string | undefined
}

/**
 * In what a node contradicts what is said of it; undefined where it does not.
 * Nothing is claimed of the root of a directory.
 */
export function claimsFault (node: DirectoryNode, claims: RunClaims | undefined): string | undefined {
  if (claims === undefined) {
    return isLeaf(node) || node.branches.length > 1 ? undefined : 'the root of a directory has one branch'
  }

  const { first, count, size } = heldBy(node)
  const facts = { level: node.level, first, count, size }

  for (const fact of ['level', 'first', 'count', 'size'] as const) {
    if (facts[fact] !== claims[fact]) {
      return `${fact} is ${shown(facts[fact])}, where the branch above claims ${shown(claims[fact])}`
    }
  }

  if (claims.end !== undefined && compareNames(lastName(node), claims.end) >= 0) {
    return `it reaches ${printable(lastName(node))}, and the next run begins with ${printable(claims.end)}`
  }
}

function shown (fact: string | number | undefined): string {
  return typeof fact === 'number' ? String(fact) : printable(fact ?? '')
}

/**
 * Where a run is cut otherwise than a build of the directory cuts it; undefined where it is not. A directory is the one that
 * a build makes where no run of it has a fault, and none contradicts its claims. `end` is the name that the next run of the
 * level begins with; undefined for the last run.
 */
export function boundaryFault (node: DirectoryNode, end: string | undefined): string | undefined {
  let bytes = 0
  let last: Item | undefined

  for (const item of nodeItems(node)) {
    if (last !== undefined && startsRun(node.level, bytes, last.bytes.byteLength, item.name)) {
      return `a run goes on beyond the boundary before ${printable(item.name)}`
    }

    bytes += item.bytes.byteLength
    last = item
  }

  if (last !== undefined && end !== undefined && !startsRun(node.level, bytes, last.bytes.byteLength, end)) {
    return `a run ends before ${printable(end)}, where no boundary is`
  }
}

/**
 * What a branch node, and what is said of it, say of the runs below it.
 */
export function claimsBelow ({ level, branches }: BranchNode, claims: RunClaims | undefined): RunClaims[] {
  return branches.map(({ first, count, size }, i) => ({ level: level - 1, first, count, size, end: branches.at(i + 1)?.first ?? claims?.end }))
}
