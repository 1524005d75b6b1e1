import { InvalidNodeError, UnsupportedVersionError, printable } from '../errors.ts'
import { compareNames, nameFault } from '../path.ts'
import { dagCborCode } from './cid.ts'
import { Cursor, major } from './cursor.ts'
import { encode, encodeKeyed, encodeList } from './encode.ts'
import { readEntry } from './entry.ts'
import { maxLevel } from './limits.ts'
import type { Block, Branch, BranchNode, DirectoryNode, Entry, LeafNode } from './schema.ts'

export const nodeKeys = ['dir', 'dirs', 'snapshot'] as const
export type NodeKey = typeof nodeKeys[number]

/**
 * Encodes a directory's leaf out of its encoded entries, which are in order.
 */
export function encodeLeaf (entries: readonly Uint8Array[]): Uint8Array {
  return encodeKeyed('dir', encodeList(entries))
}

/**
 * Encodes a branch node of a level out of its encoded branches, which are in order.
 */
export function encodeBranches (level: number, branches: readonly Uint8Array[]): Uint8Array {
  if (level > maxLevel) {
    throw new InvalidNodeError(`a directory cannot have more than ${maxLevel} levels`)
  }

  return encodeKeyed('dirs', encodeList([encode(level), encodeList(branches)]))
}

/**
 * Encodes one branch: `[first, link, count, size]`.
 */
export function encodeBranch ({ first, link, count, size }: Branch): Uint8Array {
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(size)) {
    throw new InvalidNodeError(`a directory's sizes add up to more than 2^53-1 at ${printable(first)}`)
  }

  return encode([first, link, count, size])
}

/**
 * Decodes a block of a directory.
 *
 * @throws {InvalidNodeError} where it is not a canonical directory node
 * @throws {UnsupportedVersionError} where it is a node of a kind that this release does not know
 */
export function decodeDirectory ({ cid, bytes }: Block): DirectoryNode {
  const cursor = new Cursor(bytes, cid)

  if (cid.code !== dagCborCode) {
    cursor.fail('a directory is a dag-cbor block')
  }

  const key = readNodeKey(cursor, cid)

  switch (key) {
    case 'dir':
      return readLeaf(cursor)
    case 'dirs':
      return readBranches(cursor)
    default:
      return cursor.fail(`expected a directory, found a ${key}`)
  }
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
  throw new UnsupportedVersionError(`this release does not know nodes of the type ${printable(key)}; upgrade dagfs`, { cid })
}

function readLeaf (cursor: Cursor): LeafNode {
  const entries: Entry[] = []
  const offsets = readItems(cursor, 'dir', () => {
    const entry = readEntry(cursor)
    checkOrder(cursor, entries.at(-1)?.name, entry.name)
    entries.push(entry)
  })

  return { level: 0, entries, bytes: cursor.bytes, offsets }
}

function readBranches (cursor: Cursor): BranchNode {
  if (cursor.list('dirs') !== 2) {
    cursor.fail('dirs must have two items')
  }

  const level = cursor.unsigned('a level')

  if (level < 1 || level > maxLevel) {
    cursor.fail(`a level must be from 1 to ${maxLevel}`)
  }

  const branches: Branch[] = []
  const offsets = readItems(cursor, 'branches', () => {
    const branch = readBranch(cursor)
    checkOrder(cursor, branches.at(-1)?.first, branch.first)
    branches.push(branch)
  })

  if (branches.length === 0) {
    cursor.fail('a node has no branches')
  }

  return { level, branches, bytes: cursor.bytes, offsets }
}

function readBranch (cursor: Cursor): Branch {
  if (cursor.list('a branch') !== 4) {
    cursor.fail('a branch must have four items')
  }

  const first = cursor.text('a name')
  const fault = nameFault(first)

  if (fault !== undefined) {
    cursor.fail(fault)
  }

  const link = cursor.link('a branch')
  const branch = { first, link, count: cursor.unsigned('a count'), size: cursor.unsigned('a size') }

  if (link.code !== dagCborCode || branch.count === 0) {
    cursor.fail('a branch links to a dag-cbor block with at least one entry')
  }

  return branch
}

/** Reads the items of the last list of a node; answers where each begins and the last ends. */
function readItems (cursor: Cursor, what: string, readItem: () => void): number[] {
  const offsets: number[] = []

  for (let left = cursor.list(what); left > 0; left--) {
    offsets.push(cursor.position)
    readItem()
  }

  offsets.push(cursor.position)
  cursor.end()

  return offsets
}

function checkOrder (cursor: Cursor, previous: string | undefined, name: string): void {
  if (previous !== undefined && compareNames(previous, name) >= 0) {
    cursor.fail(`${printable(name)} is out of order`)
  }
}
