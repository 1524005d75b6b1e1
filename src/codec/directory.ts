import { concat } from '../bytes.ts'
import { InvalidNodeError, UnsupportedVersionError } from '../errors.ts'
import { compareNames, nameFault } from '../path.ts'
import { printable } from '../printable.ts'
import { dagCborCode, isSupportedCid } from './cid.ts'
import { Cursor, major } from './cursor.ts'
import { encode, encodeKeyHead, encodeListHead } from './encode.ts'
import { readEntry } from './entry.ts'
import { maxLevel, maxRunItemBytes } from './limits.ts'
import type { Block, Branch, BranchNode, DirectoryNode, Entry, LeafNode } from './schema.ts'

export const nodeKeys = ['dir', 'dirs', 'snapshot'] as const
export type NodeKey = typeof nodeKeys[number]

const leafHead = encodeKeyHead('dir')
const branchesHead = encodeKeyHead('dirs')

/**
 * Encodes a directory's leaf out of its encoded entries, which are in order.
 */
export function encodeLeaf (entries: readonly Uint8Array[]): Uint8Array {
  return concat([leafHead, encodeListHead(entries.length), ...entries])
}

/**
 * Encodes a branch node of a level out of its encoded branches, which are in order.
 */
export function encodeBranches (level: number, branches: readonly Uint8Array[]): Uint8Array {
  if (level < 1 || level > maxLevel) {
    throw new InvalidNodeError(`the level of a branch node must be from 1 to ${maxLevel}`)
  }

  return concat([branchesHead, encodeListHead(2), encode(level), encodeListHead(branches.length), ...branches])
}

/**
 * Encodes one branch: `[first, link, count, size]`.
 */
export function encodeBranch (branch: Branch): Uint8Array {
  const { first, link, count, size } = branch
  const fault = branchFault(branch)

  if (fault !== undefined) {
    throw new InvalidNodeError(`the branch ${printable(first)} cannot be written: ${fault}`)
  }

  return encode([first, link, count, size])
}

function branchFault ({ first, link, count, size }: Branch): string | undefined {
  if (!isSupportedCid(link) || link.code !== dagCborCode) {
    return 'a branch links to a dag-cbor block'
  }

  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(size) || count < 1 || size < 0) {
    return 'its count and size are integers up to 2^53-1, and it has at least one entry'
  }

  return nameFault(first)
}

/**
 * Decodes a block of a directory.
 *
 * @throws {InvalidNodeError} where it is not a canonical directory node
 * @throws {UnsupportedVersionError} where it is a node of a kind that this release does not know
 */
export function decodeDirectory (block: Block): DirectoryNode {
  const { cursor, key } = openDirectory(block)

  return key === 'dir' ? readLeaf(cursor) : readBranches(cursor)
}

/**
 * Reads the head of a directory's block, up to what its one key stands for.
 */
export function openDirectory ({ cid, bytes }: Block): { cursor: Cursor, key: 'dir' | 'dirs' } {
  const cursor = new Cursor(bytes, cid)

  if (cid.code !== dagCborCode) {
    cursor.fail('a directory is a dag-cbor block')
  }

  const key = readNodeKey(cursor, cid)

  return key === 'snapshot' ? cursor.fail('expected a directory, found a snapshot') : { cursor, key }
}

/**
 * Reads the head of a node that is a map: its one key names type and version.
 */
export function readNodeKey (cursor: Cursor, cid: Block['cid']): NodeKey {
  if (cursor.peek() !== major.map || cursor.map('a node') !== 1) {
    cursor.fail('expected a map of one key')
  }

  const key = cursor.text('a key')

  return nodeKeys.find(known => known === key) ?? refuseKey(key, cid)
}

function refuseKey (key: string, cid: Block['cid']): never {
  throw new UnsupportedVersionError(`this release does not know nodes of the type ${printable(key.slice(0, 64))}; upgrade dagfs`, { cid })
}

function readLeaf (cursor: Cursor): LeafNode {
  const entries: Entry[] = []
  const offsets = readItems(cursor, 'dir', () => {
    const entry = readEntry(cursor)
    checkOrder(cursor, entries.at(-1)?.name, entry.name)
    entries.push(entry)
  })

  checkSum(cursor, entries.map(({ kind, size }) => kind === 'symlink' ? 0 : size))

  return { level: 0, entries, bytes: cursor.bytes, offsets }
}

function readBranches (cursor: Cursor): BranchNode {
  const level = readLevel(cursor)
  const branches: Branch[] = []
  const offsets = readItems(cursor, 'branches', () => {
    const branch = readBranch(cursor)
    checkOrder(cursor, branches.at(-1)?.first, branch.first)
    branches.push(branch)
  })

  if (branches.length === 0) {
    cursor.fail('a node has no branches')
  }

  checkSum(cursor, branches.map(({ count }) => count))
  checkSum(cursor, branches.map(({ size }) => size))

  return { level, branches, bytes: cursor.bytes, offsets }
}

/**
 * Reads the level of a branch node, up to its branches.
 */
export function readLevel (cursor: Cursor): number {
  if (cursor.list('dirs') !== 2) {
    cursor.fail('dirs must have two items')
  }

  const level = cursor.unsigned('a level')

  return level < 1 || level > maxLevel ? cursor.fail(`a level must be from 1 to ${maxLevel}`) : level
}

/**
 * Reads one branch.
 */
export function readBranch (cursor: Cursor): Branch {
  if (cursor.list('a branch') !== 4) {
    cursor.fail('a branch must have four items')
  }
  const branch = { first: cursor.text('a name'), link: cursor.link('a branch'), count: cursor.unsigned('a count'), size: cursor.unsigned('a size') }
  const fault = branchFault(branch)

  return fault === undefined ? branch : cursor.fail(fault)
}

/** Reads the items of the last list of a node; returns where each begins and the last ends. */
function readItems (cursor: Cursor, what: string, readItem: () => void): number[] {
  const offsets: number[] = []

  for (let left = readItemCount(cursor, what); left > 0; left--) {
    offsets.push(cursor.position)
    readItem()
  }

  offsets.push(cursor.position)
  cursor.end()

  return offsets
}

/**
 * Reads the head of the last list of a node.
 */
export function readItemCount (cursor: Cursor, what: string): number {
  const count = cursor.list(what)

  return cursor.left > maxRunItemBytes ? cursor.fail(`a node has ${cursor.left} bytes of items, more than a run has`) : count
}

function checkOrder (cursor: Cursor, previous: string | undefined, name: string): void {
  if (previous !== undefined && compareNames(previous, name) >= 0) {
    cursor.fail(`${printable(name)} is out of order`)
  }
}

function checkSum (cursor: Cursor, numbers: readonly number[]): void {
  if (!Number.isSafeInteger(numbers.reduce((sum, number) => sum + number, 0))) {
    cursor.fail('the sizes or counts add up to more than 2^53-1')
  }
}
